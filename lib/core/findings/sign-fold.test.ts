import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findingsIn } from '../../testing/builders/findings-in'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { DETECTORS } from './detectors'
import { maskOf, signsOf } from './entry-signs'

/** A session in which much goes wrong. */
function troubled(): TranscriptBuilder {
  const builder = new TranscriptBuilder()
  for (let i = 0; i < 12; i++) {
    const asked = builder.user('word '.repeat(300 * (i % 3)))
    if (i % 4 > 0) builder.compaction('Short.', asked)
    builder.assistant('Yes.', { calls: [`c${i}`], usage: { input: 40_000, output: 50, cacheRead: 100 } })
    builder.result(`c${i}`, 'berth '.repeat(2000))
  }
  return builder
}

const LATER = Date.parse('2031-01-01T00:00:00Z')

/** A session of these steps, whatever their order. */
function randomSession(steps: readonly { readonly is: string; readonly size: number }[]): TranscriptBuilder {
  const builder = new TranscriptBuilder()
  let asked = builder.user('Begin.')
  for (const [i, { is, size }] of steps.entries()) {
    const usage = { input: 2_000 * size, output: 50, cacheRead: 100 * size }
    if (is === 'user') asked = builder.user('word '.repeat(size))
    else if (is === 'rule') builder.user(`You must never use the tool number ${size} of the harbour.`)
    else if (is === 'call') builder.assistant('Yes.', { calls: [`c${size}`], usage })
    else if (is === 'failed')
      builder.assistant('', { stop: 'error', fields: { errorMessage: 'prompt is too long' } })
    else if (is === 'result') builder.result(`c${size}`, `berth ${i} `.repeat(100 * size))
    else builder.compaction('Short.', asked)
  }
  return builder
}

describe('the fold of signs', () => {
  const facts = troubled().facts()
  const whole = findingsIn(facts)

  it('finds the same wherever it was written down and read again', () => {
    expect(whole.length).toBeGreaterThan(0)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: facts.length - 1 }), (pause) => {
        expect(findingsIn(facts, { pause })).toEqual(whole)
      }),
      { numRuns: 15 },
    )
  })

  it('finds after each line that is appended what it finds in all of them at once', () => {
    const step = fc.record({
      is: fc.constantFrom('user', 'rule', 'call', 'failed', 'result', 'compaction'),
      size: fc.integer({ min: 1, max: 40 }),
    })
    let found = 0
    fc.assert(
      fc.property(fc.array(step, { minLength: 6, maxLength: 60 }), (steps) => {
        const appended = randomSession(steps).facts()
        const grown = findingsIn(appended, { pause: 'each', now: LATER })
        expect(grown).toEqual(findingsIn(appended, { now: LATER }))
        found += grown.length
      }),
      { numRuns: 12 },
    )
    expect(found).toBeGreaterThan(0)
  })

  it('keeps from a detector only entries that change nothing for it', () => {
    for (const { kind, sees, start, entry } of DETECTORS) {
      if (entry === undefined || sees === undefined) continue
      const state = start()
      for (const fact of facts) {
        const before = JSON.stringify(state)
        entry(state, { ...fact }, fact.marks)
        if ((maskOf(sees) & signsOf(fact, fact.marks)) === 0) expect(JSON.stringify(state), kind).toBe(before)
      }
    }
  })

  it('gives each finding one id, which stays while the session goes on', () => {
    expect(new Set(whole.map(({ id }) => id)).size).toBe(whole.length)
    const later = new Set(findingsIn([...facts, ...facts.slice(-1)]).map(({ id }) => id))
    for (const { id } of whole) expect(later).toContain(id)
  })

  it('has a detector once, with its words', () => {
    expect(new Set(DETECTORS.map(({ kind }) => kind)).size).toBe(DETECTORS.length)
    for (const { title, about, signs } of DETECTORS)
      for (const words of [title, about, signs]) expect(words.length).toBeGreaterThan(8)
  })
})
