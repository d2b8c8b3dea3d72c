import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findUnpaired } from '../history/pairing'
import { DEFAULT_POLICY } from '../policy/default-policy'
import { mustPrune, pruneToShare } from './prune-to-share'
import { rollingDue } from './rolling'
import { splitByShare } from './split-by-share'
import { chunkRatio, oversizedNote, packRequests, summaryStages } from './stages'

type Message = { role: string; tokens: number; calls?: { id: string }[]; resultFor?: string }
const tokensOf = ({ tokens }: Message) => tokens
const total = (messages: readonly Message[]) => messages.reduce((sum, { tokens }) => sum + tokens, 0)
const plain = (...tokens: number[]): Message[] => tokens.map((each) => ({ role: 'user', tokens: each }))

const anyMessages = fc
  .array(
    fc.record({
      kind: fc.constantFrom('user', 'assistant', 'call'),
      tokens: fc.integer({ min: 1, max: 900 }),
    }),
    { maxLength: 40 },
  )
  .map((steps) =>
    steps.flatMap(({ kind, tokens }, i): Message[] =>
      kind === 'call'
        ? [
            { role: 'assistant', tokens, calls: [{ id: `c${i}` }] },
            { role: 'toolResult', tokens: tokens * 2, resultFor: `c${i}` },
          ]
        : [{ role: kind, tokens }],
    ),
  )

describe('dividing a history', () => {
  test('D4: two parts differ by one message at most', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 2, maxLength: 60 }), (tokens) => {
        const parts = splitByShare(plain(...tokens), 2, tokensOf)
        expect(parts.flat().map(tokensOf)).toEqual(tokens)
        const [one = [], other = []] = parts
        expect(Math.abs(total(one) - total(other))).toBeLessThanOrEqual(Math.max(...tokens))
      }),
    )
    expect(splitByShare(plain(3, 10, 5), 2, tokensOf).map(total)).toEqual([13, 5])
    expect(splitByShare(plain(10, 10, 10, 10), 2, tokensOf).map(total)).toEqual([20, 20])
  })

  test('D4: a call is never parted from its results', () => {
    fc.assert(
      fc.property(anyMessages, fc.integer({ min: 1, max: 5 }), (messages, parts) => {
        const split = splitByShare(messages, parts, tokensOf)
        expect(split.length).toBeLessThanOrEqual(parts)
        expect(split.every((part) => part.length > 0)).toBe(true)
        expect(split.flat()).toEqual(messages)
        for (const part of split) expect(findUnpaired(part)).toEqual({ orphans: [], unanswered: [] })
      }),
    )
  })

  test('D8: oldest parts go until the rest fits, pairs whole, and what went is reported', () => {
    fc.assert(
      fc.property(anyMessages, fc.integer({ min: 0, max: 4_000 }), (messages, budget) => {
        const { kept, dropped, droppedTokens, fits } = pruneToShare(messages, { budget, parts: 2, tokensOf })
        expect([...dropped, ...kept]).toHaveLength(messages.length)
        expect(droppedTokens).toBe(total(dropped))
        expect(findUnpaired(kept).orphans).toEqual([])
        expect(fits).toBe(total(kept) <= budget)
        if (!fits) expect(splitByShare(kept, 2, tokensOf).length).toBeLessThan(2)
      }),
    )
  })

  test('D9: 119,999 is not pruned, 120,001 is, down to 100,000', () => {
    expect(mustPrune(119_999, 200_000, 0.5, 1.2)).toBe(false)
    expect(mustPrune(120_001, 200_000, 0.5, 1.2)).toBe(true)
    const { kept } = pruneToShare(plain(...Array<number>(120).fill(1_001)), {
      budget: 100_000,
      parts: 2,
      tokensOf,
    })
    expect(total(kept)).toBeLessThanOrEqual(100_000)
  })

  test('D5: no split under four messages, nor where one request takes all', () => {
    const options = { window: 100_000, parts: 2, minMessages: 4, oversizedShare: 0.5, margin: 1.2, tokensOf }
    expect(summaryStages(plain(30_000, 30_000, 30_000), options).parts).toHaveLength(1)
    expect(summaryStages(plain(10_000, 10_000, 10_000, 10_000), options).parts).toHaveLength(2)
    expect(summaryStages(plain(1_000, 1_000, 1_000, 1_000), options).parts).toHaveLength(1)
    expect(summaryStages(plain(10, 41_667, 10), options).oversized.map(tokensOf)).toEqual([41_667])
    expect(summaryStages(plain(10, 41_666, 10), options).oversized).toEqual([])
  })

  test('requests shrink as messages grow, and hold what fits with margin', () => {
    expect([chunkRatio(0.1), chunkRatio(0.11), chunkRatio(0.5)]).toEqual([
      0.4, 0.18000000000000002, 0.15000000000000002,
    ])
    const packed = packRequests(plain(400, 400, 400, 2_000, 10), { maxChunk: 1_200, margin: 1.2, tokensOf })
    expect(packed.map((part) => part.map(tokensOf))).toEqual([[400, 400], [400], [2_000], [10]])
  })

  test('D4: each part begins at the seam nearest to its share, the later of two that are as near', () => {
    const split = (tokens: readonly number[], parts: number) =>
      splitByShare(plain(...tokens), parts, tokensOf).map((part) => part.map(tokensOf))
    expect(split([], 3)).toEqual([])
    expect(split([5], 3)).toEqual([[5]])
    expect(split([5, 5, 5], 1)).toEqual([[5, 5, 5]])
    expect(split([5, 5, 5], 9)).toEqual([[5], [5], [5]])
    expect(split([6, 6, 6, 6, 6, 6], 3)).toEqual([
      [6, 6],
      [6, 6],
      [6, 6],
    ])
    // Seams at 4 and 8 of 12: both are two away from the half.
    expect(split([4, 4, 4], 2)).toEqual([[4, 4], [4]])
    expect(split([1, 1, 10], 2)).toEqual([[1, 1], [10]])
    expect(split([10, 1, 1], 2)).toEqual([[10], [1, 1]])
    expect(split([10, 0, 0, 10], 2)).toEqual([[10, 0, 0], [10]])
    expect(split([100, 1, 1, 1], 3)).toEqual([[100], [1], [1, 1]])
    // A result begins no part, nor does the first message end one.
    const paired: Message[] = [
      { role: 'toolResult', tokens: 9 },
      { role: 'assistant', tokens: 1, calls: [{ id: 'x' }] },
      { role: 'toolResult', tokens: 90, resultFor: 'x' },
      { role: 'user', tokens: 1 },
    ]
    expect(splitByShare(paired, 9, tokensOf).map((part) => part.map(tokensOf))).toEqual([[9], [1, 90], [1]])
  })

  test('D8: as many rounds as it takes, each drops the oldest of the parts, and nothing where all fits', () => {
    const prune = (budget: number, parts: number) => {
      const { kept, dropped, droppedTokens, rounds, fits } = pruneToShare(plain(1, 2, 3, 4, 5, 6, 7, 8), {
        ...{ budget, parts, tokensOf },
      })
      return [kept.map(tokensOf), dropped.length, droppedTokens, rounds, fits]
    }
    expect(prune(36, 2)).toEqual([[1, 2, 3, 4, 5, 6, 7, 8], 0, 0, 0, true])
    // Seams at 15 and 21 of 36: the later one.
    expect(prune(35, 2)).toEqual([[7, 8], 6, 21, 1, true])
    expect(prune(15, 2)).toEqual([[7, 8], 6, 21, 1, true])
    expect(prune(14, 2)).toEqual([[8], 7, 28, 2, true])
    expect(prune(35, 4)).toEqual([[5, 6, 7, 8], 4, 10, 1, true])
    // Fewer than two parts would drop all or nothing: it is two.
    expect(prune(35, 1)).toEqual([[7, 8], 6, 21, 1, true])
    expect(prune(7, 2)).toEqual([[8], 7, 28, 2, false])
    expect(pruneToShare([], { budget: 0, parts: 2, tokensOf })).toEqual({
      ...{ kept: [], dropped: [], droppedTokens: 0, rounds: 0, fits: true },
    })
  })

  test('D9: exactly at the share with its margin, whole tokens, nothing is pruned', () => {
    expect([mustPrune(120_000, 200_000, 0.5, 1.2), mustPrune(120_000.5, 200_000, 0.5, 1.2)]).toEqual([
      false,
      true,
    ])
    expect([mustPrune(5, 11, 0.5, 1), mustPrune(6, 11, 0.5, 1)]).toEqual([false, true])
  })

  test('D5: one request carries two fifths of the window less its overhead, and less where messages are large', () => {
    const stages = (window: number, tokens: readonly number[], more = {}) =>
      summaryStages(plain(...tokens), {
        ...{ window, parts: 2, minMessages: 4, oversizedShare: 0.5, margin: 1.2, tokensOf },
        ...more,
      })
    expect(stages(100_000, [10, 10]).maxChunk).toBe(40_000 - 4_096)
    expect(stages(100_000, []).maxChunk).toBe(40_000 - 4_096)
    expect(stages(100_000, []).parts).toEqual([])
    // 10,000 with margin are 12 % of the window: 40 − 24 %.
    expect(stages(100_000, [10_000, 10_000]).maxChunk).toBe(16_000 - 4_096)
    expect(stages(5_000, [10]).maxChunk).toBe(1)
    // Four messages of 8,976 are what one request carries; one token more is split.
    expect(stages(100_000, [8_976, 8_976, 8_976, 8_976]).parts).toHaveLength(1 + 1)
    expect(stages(100_000, [8_000, 8_000, 8_000, 11_904], { margin: 1 }).parts).toHaveLength(1)
    expect(stages(100_000, [8_000, 8_000, 8_000, 11_905], { margin: 1 }).parts).toHaveLength(2)
    // What is too large counts for nothing else.
    const found = stages(100_000, [41_667, 10, 10, 10, 41_668])
    expect([found.parts.map((part) => part.length), found.oversized.map(tokensOf), found.maxChunk]).toEqual([
      ...[[3], [41_667, 41_668], 40_000 - 4_096],
    ])
  })

  test('requests take between 15 and 40 hundredths of the window', () => {
    expect([chunkRatio(0), chunkRatio(0.1)]).toEqual([0.4, 0.4])
    expect(chunkRatio(0.12)).toBeCloseTo(0.16, 10)
    expect(chunkRatio(0.2)).toBeCloseTo(0.15, 10)
    expect(chunkRatio(9)).toBeCloseTo(0.15, 10)
  })

  test('packs requests to the token, and none of nothing', () => {
    const packed = (maxChunk: number, ...tokens: number[]) =>
      packRequests(plain(...tokens), { maxChunk, margin: 2, tokensOf }).map((part) => part.map(tokensOf))
    expect(packed(20)).toEqual([])
    expect(packed(20, 5, 5, 5)).toEqual([[5, 5], [5]])
    expect(packed(20, 5, 6, 4, 1)).toEqual([[5], [6, 4], [1]])
    expect(packed(20, 99, 1)).toEqual([[99], [1]])
  })

  test('D6: a note says who wrote what is left out, and its size in thousands', () => {
    expect(oversizedNote('user', 41_499)).toBe('[Large user (~41K tokens) omitted from summary]')
    expect(oversizedNote('toolResult', 41_500)).toBe('[Large toolResult (~42K tokens) omitted from summary]')
  })

  test('E1: 29,999 and 30,000 do not roll, 30,001 does; a small budget rolls earlier', () => {
    const due = (tokens: number, budget = 150_000) => rollingDue(DEFAULT_POLICY, tokens, budget).due
    expect([29_999, 30_000, 30_001].map((tokens) => due(tokens))).toEqual([false, false, true])
    expect([due(8_000, 10_000), due(8_001, 10_000)]).toEqual([false, true])
  })
})
