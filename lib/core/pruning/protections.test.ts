import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../policy/default-policy'
import type { DropChunk } from './drop-chunk'
import { type ProtectionPolicy, protections } from './protections'
import { type DropPolicy, relevanceDrop } from './relevance-drop'

const NOW = 1_000_000_000
const chunk = (role: DropChunk['role'], place: number, over: Partial<DropChunk> = {}): DropChunk => ({
  ...{ id: `c${place}`, members: [place], tokens: 10, at: NOW - 1000, role, important: false, kinds: [] },
  score: { value: 0.5, scale: 'sum', parts: [] },
  ...over,
})
const chunks = (roles: string, over: Partial<DropChunk> = {}) =>
  roles.split(' ').map((word, place) => {
    const role = ({ u: 'user', t: 'tool', s: 'summary', o: 'other' } as const)[word] ?? 'other'
    return chunk(role, place, over)
  })

/** Nothing is protected but the newest message of the user and summaries. */
const policyWith = (
  minChunks = 0,
  recentTurns = 0,
  pruning: Partial<ProtectionPolicy['pruning']> = {},
): ProtectionPolicy => ({
  relevance: { ...DEFAULT_POLICY.relevance, minChunks },
  history: { ...DEFAULT_POLICY.history, recentTurns },
  pruning: {
    ...DEFAULT_POLICY.pruning,
    ...{ keepLastMessages: 0, keepRecentMs: 0, toolResultsAfterMs: 0, alwaysKeep: [] },
    ...pruning,
  },
})
const held = (given: readonly DropChunk[], policy: ProtectionPolicy) =>
  protections(given, policy, NOW).map((names) => names.join('+'))

describe('H7: what protects a chunk', () => {
  it('the newest message of the user and what is left of history always are; nothing else where all knobs are 0', () => {
    expect(held(chunks('s u o u t o'), policyWith())).toEqual(['summary', '', '', 'newest', '', ''])
    expect(held(chunks('t o'), policyWith())).toEqual(['', ''])
    expect(held([], policyWith(5, 5))).toEqual([])
  })

  it('H6 the newest chunks, exactly so many', () => {
    expect(held(chunks('o o o'), policyWith(1))).toEqual(['', '', 'chunks'])
    expect(held(chunks('o o o'), policyWith(2))).toEqual(['', 'chunks', 'chunks'])
    expect(held(chunks('o o o'), policyWith(9))).toEqual(['chunks', 'chunks', 'chunks'])
  })

  it('the newest turns, from their message on; all where there are not so many, none where none were asked for', () => {
    expect(held(chunks('u o u o u o'), policyWith(0, 1))).toEqual(['', '', '', '', 'newest+turns', 'turns'])
    expect(held(chunks('u o u o u o'), policyWith(0, 2))).toEqual([
      ...['', '', 'turns', 'turns', 'newest+turns', 'turns'],
    ])
    expect(held(chunks('o u o u o'), policyWith(0, 2))).toEqual([
      'turns',
      'turns',
      'turns',
      'newest+turns',
      'turns',
    ])
    expect(held(chunks('o u o u o'), policyWith(0, 9))).toEqual([
      'turns',
      'turns',
      'turns',
      'newest+turns',
      'turns',
    ])
    expect(held(chunks('o t o'), policyWith(0, 9))).toEqual(['', '', ''])
  })

  it('J1 the newest messages: a chunk is one of them by the last message of it', () => {
    const wide = [
      chunk('tool', 0, { members: [0, 4] }),
      chunk('other', 1, { members: [1] }),
      chunk('tool', 2, { members: [2, 3] }),
    ]
    expect(held(wide, policyWith(0, 0, { keepLastMessages: 1 }))).toEqual(['messages', '', ''])
    expect(held(wide, policyWith(0, 0, { keepLastMessages: 2 }))).toEqual(['messages', '', 'messages'])
    expect(held(wide, policyWith(0, 0, { keepLastMessages: 3 }))).toEqual(['messages', '', 'messages'])
    expect(held(wide, policyWith(0, 0, { keepLastMessages: 4 }))).toEqual([
      'messages',
      'messages',
      'messages',
    ])
  })

  it('J2 J4 the young: results of tools by a separate time; an unknown age protects nothing', () => {
    const aged = (at: number | null) => chunks('t o', { at })
    const policy = policyWith(0, 0, { toolResultsAfterMs: 60_000, keepRecentMs: 300_000 })
    expect(held(aged(NOW - 59_999), policy)).toEqual(['recent', 'recent'])
    expect(held(aged(NOW - 60_000), policy)).toEqual(['', 'recent'])
    expect(held(aged(NOW - 299_999), policy)).toEqual(['', 'recent'])
    expect(held(aged(NOW - 300_000), policy)).toEqual(['', ''])
    expect(held(aged(null), policy)).toEqual(['', ''])
    const long = policyWith(0, 0, { toolResultsAfterMs: 2 * NOW, keepRecentMs: 2 * NOW })
    expect(held(aged(null), long)).toEqual(['', ''])
  })

  it('J3 the marked, and those of a kind that the policy names; several reasons come in one order', () => {
    expect(
      held([chunk('tool', 0, { kinds: ['error', 'plan'] })], policyWith(0, 0, { alwaysKeep: ['plan'] })),
    ).toEqual(['kind'])
    expect(
      held([chunk('tool', 0, { kinds: ['error'] })], policyWith(0, 0, { alwaysKeep: ['plan'] })),
    ).toEqual([''])
    const all = policyWith(1, 1, { keepLastMessages: 1, keepRecentMs: 9999, alwaysKeep: ['plan'] })
    expect(held([chunk('user', 0, { important: true, kinds: ['plan'] })], all)).toEqual([
      'newest+important+chunks+turns+messages+recent+kind',
    ])
  })
})

describe('H5, D19: what becomes of a chunk, at its bounds', () => {
  const decide = (
    value: number,
    over: Partial<DropPolicy> = {},
    more: Partial<DropChunk> = {},
    pass: 'curate' | 'compact' = 'compact',
  ) => {
    const { summary, coldStorage } = DEFAULT_POLICY
    const policy: DropPolicy = { ...policyWith(), summary, coldStorage, ...over }
    const given = [chunk('other', 0, { tokens: 501, score: { value, scale: 'sum', parts: [] }, ...more })]
    const [decision] = relevanceDrop({ chunks: given, policy, pass, now: NOW, room: null }).decisions
    return [decision?.action, decision?.reason, decision?.threshold, decision?.tokensAfter]
  }

  it('names the threshold that its score was held against, and what it takes afterwards', () => {
    expect(decide(0.7)).toEqual(['keep', 'relevant', 0.7, 501])
    expect(decide(0.3)).toEqual(['drop', 'low_relevance', 0.3, 0])
    expect(decide(0.5)).toEqual(['summarise', 'medium', 0.7, 500])
    expect(decide(0.5, {}, { tokens: 500 })).toEqual(['keep', 'short', 0.7, 500])
    expect(decide(0.5, {}, {}, 'curate')).toEqual(['keep', 'unsummarised', 0.7, 501])
    const { summary, coldStorage } = DEFAULT_POLICY
    expect(decide(0.5, { summary: { ...summary, mediumChunks: false } })).toEqual([
      'keep',
      'unsummarised',
      0.7,
      501,
    ])
    expect(decide(0.3, { coldStorage: { ...coldStorage, enabled: false } })).toEqual([
      'keep',
      'no_cold_storage',
      0.3,
      501,
    ])
    expect(decide(0.1, {}, { important: true })).toEqual(['keep', 'important', null, 501])
  })

  it('A13 what goes for its score is not said to go for the hard line', () => {
    const { summary, coldStorage } = DEFAULT_POLICY
    const policy: DropPolicy = { ...policyWith(), summary, coldStorage }
    const given = [0.1, 0.9].map((value, place) =>
      chunk('other', place, { tokens: 100, score: { value, scale: 'sum', parts: [] } }),
    )
    const { decisions } = relevanceDrop({ chunks: given, policy, pass: 'compact', now: NOW, room: 50 })
    expect(decisions.map(({ reason }) => reason)).toEqual(['low_relevance', 'hard_limit'])
  })

  it('A13 above the hard line the lowest go until the rest is on it, and what failed says by how much', () => {
    const { summary, coldStorage } = DEFAULT_POLICY
    const run = (room: number | null, enabled = true) => {
      const policy: DropPolicy = { ...policyWith(), summary, coldStorage: { ...coldStorage, enabled } }
      const scored = (value: number, place: number, over: Partial<DropChunk> = {}) =>
        chunk('other', place, { tokens: 100, score: { value, scale: 'sum', parts: [] }, ...over })
      const given = [scored(0.9, 0), scored(0.8, 1), scored(0.1, 2, { important: true }), scored(0.8, 3)]
      const plan = relevanceDrop({ chunks: given, policy, pass: 'compact', now: NOW, room })
      return [
        plan.decisions.map(({ reason }) => reason).join(' '),
        plan.tokensAfter,
        plan.dropped,
        plan.failure,
      ]
    }
    expect(run(null)).toEqual(['relevant relevant important relevant', 400, 0, null])
    expect(run(400)).toEqual(['relevant relevant important relevant', 400, 0, null])
    expect(run(399)).toEqual(['relevant hard_limit important relevant', 300, 1, null])
    expect(run(299)).toEqual(['relevant hard_limit important hard_limit', 200, 2, null])
    expect(run(99)).toEqual([
      'hard_limit hard_limit important hard_limit',
      100,
      3,
      { over: 1, protectedTokens: 100 },
    ])
    expect(run(399, false)).toEqual([
      'relevant relevant important relevant',
      400,
      0,
      { over: 1, protectedTokens: 100 },
    ])
  })
})
