import { describe, expect, it } from 'vitest'
import { addToSums, EMPTY_SUMS } from '../../tokens/context-sums'
import type { EntryFact, Usage } from '../entry'
import { withAgentUsage, withAnswer, withNames, withNextRecord } from './open-call'

const usage = (input: number, output: number, more: Partial<Usage> = {}): Usage => ({
  ...{ input, output, cacheRead: 0, cacheWrite: 0, costUsd: null },
  ...more,
})

const answer = (more: Partial<EntryFact> = {}): EntryFact => ({
  ...{ seq: 1, line: 2, offset: 0, bytes: 1, type: 'message', role: 'assistant' },
  ...{ id: 'e1', parentId: null, at: null },
  ...more,
})

const called = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => ({ id: `c${from + i}`, name: 'read' }))

describe('what sub-agents within a file used', () => {
  it('counts a request once, however often it is reported, by the report that says most', () => {
    const first = withAgentUsage([], 'r1', usage(100, 1))
    expect(first).toEqual({ agents: [{ id: 'r1', usage: usage(100, 1) }], now: usage(100, 1), before: null })
    const other = withAgentUsage(first.agents, 'r2', usage(7, 7))
    const again = withAgentUsage(other.agents, 'r1', usage(100, 50))
    expect(again.before).toEqual(usage(100, 1))
    expect(again.now).toEqual(usage(100, 50))
    expect(again.agents).toEqual([
      { id: 'r2', usage: usage(7, 7) },
      { id: 'r1', usage: usage(100, 50) },
    ])
    const less = withAgentUsage(again.agents, 'r1', usage(90, 2))
    expect([less.before, less.now]).toEqual([usage(100, 50), usage(100, 50)])
  })

  it('remembers the last 64 requests', () => {
    let agents: ReturnType<typeof withAgentUsage>['agents'] = []
    for (let i = 0; i < 70; i++) agents = withAgentUsage(agents, `r${i}`, usage(i + 1, 0)).agents
    expect(agents.map(({ id }) => id)).toEqual(Array.from({ length: 64 }, (_, i) => `r${i + 6}`))
  })
})

describe('names of called tools', () => {
  it('are those of the last 256 calls', () => {
    expect(withNames(called(2), answer())).toEqual(called(2))
    expect(withNames(called(2), answer({ calls: called(1, 2) }))).toEqual(called(3))
    expect(withNames(called(255), answer({ calls: called(3, 255) }))).toEqual(called(256, 2))
  })
})

describe('an answer with one more of its records', () => {
  it('has the units and calls of both', () => {
    const first = answer({ units: { assistant: 5, 'tool-call': 2 }, calls: called(1), stopReason: 'stop' })
    const next = answer({ seq: 2, units: { 'tool-call': 3, thinking: 4 }, calls: called(1, 1) })
    expect(withNextRecord(first, next)).toEqual({
      ...first,
      units: { assistant: 5, 'tool-call': 5, thinking: 4 },
      calls: called(2),
      usage: null,
    })
  })

  it('has one that takes the place of another in its stead', () => {
    const first = answer({ units: { assistant: 9, thinking: 4 }, calls: called(3), usage: usage(10, 3) })
    const replaced = answer({ units: { assistant: 5, thinking: 6, user: 1 }, calls: called(2) })
    const record = answer({ units: { assistant: 1 }, calls: called(1, 7) })
    expect(withNextRecord(first, record, replaced)).toMatchObject({
      units: { assistant: 5, thinking: 0, user: 0 },
      calls: [...called(1, 2), ...called(1, 7)],
    })
    expect(withNextRecord(first, record, answer())).toMatchObject({
      units: { assistant: 10, thinking: 4 },
      calls: [...called(3), ...called(1, 7)],
    })
    expect(withNextRecord(answer(), record, answer())).toMatchObject({ units: { assistant: 1 } })
  })

  it('has the last 256 of its calls', () => {
    const more = withNextRecord(answer({ calls: called(200) }), answer({ calls: called(100, 200) }))
    expect(more.calls).toEqual(called(256, 44))
  })

  it('has no calls where none of them calls, and the last reason for which it ended', () => {
    const more = withNextRecord(answer(), answer({ stopReason: 'toolUse' }))
    expect('calls' in more).toBe(false)
    expect(more).toMatchObject({ units: {}, stopReason: 'toolUse' })
    expect(withNextRecord(answer({ stopReason: 'stop' }), answer()).stopReason).toBe('stop')
  })

  it.each<[string, Usage | null | undefined, Usage | null | undefined, Usage | null]>([
    ['none at all', undefined, null, null],
    ['the first alone', usage(10, 3), undefined, usage(10, 3)],
    ['the second alone', null, usage(10, 3), usage(10, 3)],
    ['the later one has more output', usage(10, 1), usage(10, 3), usage(10, 3)],
    ['the later one has less output', usage(10, 3), usage(10, 1), usage(10, 3)],
    ['the later one has a longer prompt', usage(10, 3), usage(11, 2), usage(11, 2)],
    ['the later one read more', usage(1, 3), usage(1, 3, { cacheRead: 9 }), usage(1, 3, { cacheRead: 9 })],
    ['the later one wrote more', usage(1, 3), usage(1, 3, { cacheWrite: 9 }), usage(1, 3, { cacheWrite: 9 })],
    ['the first one read more', usage(1, 3, { cacheRead: 9 }), usage(5, 3), usage(1, 3, { cacheRead: 9 })],
    ['the later one has a shorter prompt', usage(10, 3), usage(9, 3), usage(10, 3)],
    ['the first one wrote more', usage(1, 3, { cacheWrite: 9 }), usage(1, 3), usage(1, 3, { cacheWrite: 9 })],
    [
      'the later output is of an unfinished answer',
      usage(10, 3),
      usage(10, 1, { outputUnsure: true }),
      usage(10, 3, { outputUnsure: true }),
    ],
  ])('of two reports it has the one that says more: %s', (_name, first, second, expected) => {
    expect(withNextRecord(answer({ usage: first }), answer({ usage: second })).usage).toEqual(expected)
  })
})

describe('what a context holds when an answer is known better', () => {
  it('is what it would hold had it been known so at once', () => {
    const before = answer({ units: { assistant: 100 } })
    const now = answer({ units: { assistant: 100, 'tool-call': 40 }, usage: usage(500, 70) })
    const user = answer({ role: 'user', units: { user: 30 } })
    const held = addToSums(addToSums(EMPTY_SUMS, user), before)
    expect(withAnswer(held, before, now)).toEqual(addToSums(addToSums(EMPTY_SUMS, user), now))
    expect(withAnswer(held, before, before)).toEqual(held)
  })

  it('is never less than nothing', () => {
    const before = answer({ units: { assistant: 100 } })
    const emptied = withAnswer(EMPTY_SUMS, before, answer({ units: { assistant: 10 } }))
    expect(emptied).toEqual(EMPTY_SUMS)
  })
})
