import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findUnpaired } from '../history/pairing'
import { DEFAULT_POLICY } from '../policy/default-policy'
import { isOverThreshold } from './context-tokens'
import { mustPrune, pruneToShare } from './prune-to-share'
import { rollingDue } from './rolling'
import { splitByShare } from './split-by-share'
import { chunkRatio, packRequests, summaryStages } from './stages'

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
  test('D3: acts before the provider would refuse: above window − reserve, not at it', () => {
    expect(isOverThreshold(183_616, 200_000, 16_384)).toBe(false)
    expect(isOverThreshold(183_617, 200_000, 16_384)).toBe(true)
  })

  test('D4: two parts differ by less than a message', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 2, maxLength: 60 }), (tokens) => {
        const parts = splitByShare(plain(...tokens), 2, tokensOf)
        expect(parts.flat().map(tokensOf)).toEqual(tokens)
        const [one = [], other = []] = parts
        expect(Math.abs(total(one) - total(other))).toBeLessThan(2 * Math.max(...tokens))
      }),
    )
    expect(splitByShare(plain(10, 10, 10, 10), 2, tokensOf).map(total)).toEqual([20, 20])
  })

  test('D4: a call is never parted from its results', () => {
    fc.assert(
      fc.property(anyMessages, fc.integer({ min: 1, max: 5 }), (messages, parts) => {
        const split = splitByShare(messages, parts, tokensOf)
        expect(split.length).toBeLessThanOrEqual(parts)
        expect(split.flat()).toEqual(messages)
        for (const part of split) expect(findUnpaired(part)).toEqual({ orphans: [], unanswered: [] })
      }),
    )
  })

  test('D8: oldest parts go until the rest fits, pairs whole, and what went is told', () => {
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

  test('E1: 29,999 and 30,000 do not roll, 30,001 does; a small budget rolls earlier', () => {
    const due = (tokens: number, budget = 150_000) => rollingDue(DEFAULT_POLICY, tokens, budget).due
    expect([29_999, 30_000, 30_001].map((tokens) => due(tokens))).toEqual([false, false, true])
    expect([due(8_000, 10_000), due(8_001, 10_000)]).toEqual([false, true])
  })
})
