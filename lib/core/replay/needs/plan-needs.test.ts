import { describe, expect, it } from 'vitest'
import { madeSession } from '../../../testing/builders/replay-sessions'
import { needsLostByPlan } from './plan-needs'

const session = madeSession('plan', { chunks: 240 })
const { calls, chunks, needs, spans } = session
const at = Math.floor(calls.count / 2)
const callEntry = calls.entry[at] ?? -1
const before = [...Array(chunks.count).keys()].filter((chunk) => (chunks.born[chunk] ?? 0) <= at)
const entries = new Set(before.map((chunk) => chunks.entry[chunk] ?? -1))
const plan = { callEntry, kept: new Set<number>(), left: entries, summary: '' }

describe('what a plan at a past call would have lost', () => {
  it('is nothing when everything stays', () => {
    const found = needsLostByPlan(session, { ...plan, kept: entries, left: new Set() })
    expect(found?.needs).toBeGreaterThan(0)
    expect(found).toMatchObject({ lost: [], lostWeight: 0 })
  })

  it('is what later calls wrote and only what left had held, each text once, the heaviest first', () => {
    const found = needsLostByPlan(session, plan)
    const texts = found?.lost.map(({ text }) => text) ?? []
    expect(texts.length).toBeGreaterThan(0)
    expect(new Set(texts).size).toBe(texts.length)
    const weights = found?.lost.map(({ weight }) => weight) ?? []
    expect(weights).toEqual(weights.toSorted((a, b) => b - a))
    expect(found?.lost.every(({ call, entry }) => call >= at && entries.has(entry))).toBe(true)
    expect(found?.lostWeight).toBeLessThanOrEqual(found?.weight ?? 0)
  })

  it('is met by a summary that holds it word for word, and by an entry that stays', () => {
    const lost = needsLostByPlan(session, plan)?.lost ?? []
    const [first] = lost
    if (first === undefined) throw new Error('nothing is lost')
    const summary = `It was ${first.text.toUpperCase()}.`
    const held = needsLostByPlan(session, { ...plan, summary })
    expect(held?.lost.map(({ text }) => text)).not.toContain(first.text)
    const kept = needsLostByPlan(session, { ...plan, kept: new Set([first.entry]) })
    expect(kept?.lost.some(({ text, call }) => text === first.text && call === first.call)).toBe(false)
  })

  it('counts no need of what was not in the context, and none of a call that is on no path', () => {
    const found = needsLostByPlan(session, { ...plan, left: new Set() })
    expect(found).toMatchObject({ needs: 0, weight: 0, lost: [] })
    expect(needsLostByPlan(session, { ...plan, callEntry: -5 })).toBeNull()
    expect(needs.count + spans.count).toBeGreaterThan(0)
  })
})
