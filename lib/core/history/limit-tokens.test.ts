import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  anyHistories,
  history,
  historyWords,
  type LightMessage,
  lightTokens,
  pairedHistories,
  totalOf,
} from '../../testing/builders/history'
import { runs } from '../../testing/runs'
import { limitTokens, type TokenLimit } from './limit-tokens'
import { findUnpaired } from './pairing'

function limit(messages: readonly LightMessage[], over: Partial<TokenLimit<LightMessage>>) {
  return limitTokens(messages, { budget: 0, recentTurns: 5, tokensOf: lightTokens, ...over })
}

const turn = 'user assistant:x result:x assistant'

describe('token limit', () => {
  it('C6 of 60k in a budget of 20k the last 5 turns stay whole and the rest is filled newest first', () => {
    // 20 older turns of 2,400 tokens, then 5 turns of 2,400: 60k, of which the last five are 12k.
    const messages = history(Array.from({ length: 25 }, () => turn).join(' '), 600)
    expect(totalOf(messages)).toBe(60_000)
    const { messages: left, tokens } = limit(messages, { budget: 20_000 })
    expect(left).toEqual(messages.slice(-8 * 4))
    expect(tokens).toBe(19_200)
    expect(left[0]?.role).toBe('user')
  })

  it('C6 recent turns may pass the budget as far as the window allows, older ones not', () => {
    const messages = history('user assistant user assistant user assistant', 100)
    expect(limit(messages, { budget: 250, hard: 450, recentTurns: 2 }).tokens).toBe(400)
    expect(limit(messages, { budget: 250, hard: 450, recentTurns: 1 }).tokens).toBe(200)
    expect(limit(messages, { budget: 250, hard: 350, recentTurns: 2 }).tokens).toBe(200)
    expect(limit(messages, { budget: 250, hard: 90, recentTurns: 2 })).toMatchObject({
      tokens: 100,
      over: 10,
    })
    expect(limit(messages, { budget: 600 }).messages).toBe(messages)
    // Where none is recent, the running turn has the budget only; a torn turn at the beginning never has more.
    expect(limit(messages, { budget: 150, hard: 450, recentTurns: 0 }).tokens).toBe(100)
    expect(limit(messages.slice(1), { budget: 450, hard: 500 }).tokens).toBe(400)
  })

  it('C6 only so many turns may pass the budget, and a torn turn at the beginning stays where it fits', () => {
    const messages = history('user assistant user assistant user assistant', 100)
    for (const budget of [250, 450])
      expect(limit(messages, { budget, hard: 600, recentTurns: 2 }).tokens).toBe(400)
    expect(limit(messages.slice(3), { budget: 50, hard: 450, recentTurns: 1 }).tokens).toBe(200)
    const torn = messages.slice(1)
    expect(limit(torn, { budget: 500 })).toMatchObject({ tokens: 500, over: 0, summaryDropped: false })
    expect(limit(torn, { budget: 500 }).messages).toBe(torn)
    // Results without their calls are no step, and are counted.
    expect(limit(history('user result:x assistant'), { budget: 30 }).tokens).toBe(30)
    expect(limit(history('summary result:x user'), { budget: 30 }).tokens).toBe(30)
  })

  it('C6 an older turn that does not fit ends the filling: no gaps', () => {
    const messages = history('user assistant user assistant user assistant', [1, 1, 500, 1, 1, 1])
    expect(limit(messages, { budget: 100, recentTurns: 1 }).tokens).toBe(2)
  })

  it('C7 when the recent turns are too many the oldest go first, and the newest user message never', () => {
    const messages = history('user assistant user assistant user assistant', 100)
    expect(historyWords(limit(messages, { budget: 450 }).messages)).toBe('user assistant user assistant')
    expect(historyWords(limit(messages, { budget: 100 }).messages)).toBe('user')
    expect(limit(messages, { budget: 30 })).toEqual({
      messages: [messages[4]],
      tokens: 100,
      over: 70,
      summaryDropped: false,
    })
  })

  it('C7 of a running turn that is too large, the user message and its last whole steps stay', () => {
    const messages = history(
      'user assistant user assistant:a,b result:a result:b assistant:c result:c assistant:d',
      10,
    )
    expect(historyWords(limit(messages, { budget: 49 }).messages)).toBe(
      'user assistant:c result:c assistant:d',
    )
    expect(historyWords(limit(messages, { budget: 39 }).messages)).toBe('user assistant:d')
    expect(historyWords(limit(messages, { budget: 70 }).messages)).toBe(historyWords(messages.slice(2)))
  })

  it('C7 goes on with the last steps where a compaction has taken the user message', () => {
    const messages = history('summary assistant:a result:a assistant:b result:b', 10)
    expect(historyWords(limit(messages, { budget: 35 }).messages)).toBe('summary assistant:b result:b')
    expect(historyWords(limit(messages, { budget: 50 }).messages)).toBe(historyWords(messages))
  })

  it('C6 a leading summary is charged to the budget, goes before older turns, and is reported when it cannot stay', () => {
    const messages = history('summary user assistant user assistant', [50, 10, 10, 10, 10])
    expect(historyWords(limit(messages, { budget: 80 }).messages)).toBe('summary user assistant')
    expect(historyWords(limit(messages, { budget: 65 }).messages)).toBe('summary user')
    expect(historyWords(limit(messages, { budget: 60 }).messages)).toBe('summary user')
    expect(limit(messages, { budget: 90 })).toMatchObject({ tokens: 90, summaryDropped: false })
    expect(limit(messages, { budget: 1000 }).messages).toBe(messages)
    expect(limit(messages, { budget: 59 })).toMatchObject({ summaryDropped: true, tokens: 40 })
    expect(historyWords(limit(messages, { budget: 59 }).messages)).toBe('user assistant user assistant')
  })

  it('C10 an empty result is sent as empty: no old history leaks through a budget of 0', () => {
    const messages = history('summary user assistant user assistant', 10)
    expect(limit(messages, { budget: 0, promptSeparate: true }).messages).toEqual([])
    expect(limit(messages, { budget: 25, promptSeparate: true }).messages).toEqual([messages[0]])
    expect(limit(messages, { budget: 0 }).messages).toEqual([messages[3]])
    expect(limit(messages, { budget: -5 }).messages).toEqual([messages[3]])
    expect(limit([], { budget: 0 }).messages).toEqual([])
  })

  const options = fc.record({
    budget: fc.nat(900),
    hard: fc.nat(900),
    recentTurns: fc.nat(6),
    promptSeparate: fc.boolean(),
  })

  it('C6 C7 C8 C10 hold for every history and every budget', () => {
    fc.assert(
      fc.property(pairedHistories, options, (messages, chosen) => {
        const { messages: left, tokens, over, summaryDropped } = limit(messages, chosen)
        const newest = messages.findLast((m) => m.role === 'user')
        expect(tokens).toBe(totalOf(left))
        // Never the newest user message, never more than the window leaves but for that message's own size.
        if (!chosen.promptSeparate && newest !== undefined) expect(left).toContain(newest)
        if (chosen.promptSeparate) expect(over).toBe(0)
        expect(Math.max(0, tokens - chosen.hard)).toBe(over)
        if (over > 0) expect(tokens - (newest?.tokens ?? 0)).toBe(0)
        // Pairs stay pairs; what was cut starts on a user message, behind summaries if there are any.
        expect(findUnpaired(left)).toEqual({ orphans: [], unanswered: [] })
        const first = left.find((m) => m.role !== 'compactionSummary')
        if (left.length < messages.length && newest !== undefined && first) expect(first.role).toBe('user')
        expect(summaryDropped).toBe(
          messages[0]?.role === 'compactionSummary' && left[0]?.role !== 'compactionSummary',
        )
        // Without its pinned head it is a suffix, in order.
        const pins = left.filter((m) => m.role === 'compactionSummary' || m === newest)
        const rest = left.filter((m) => !pins.includes(m))
        const others = messages.filter((m) => m.role !== 'compactionSummary' && m !== newest)
        expect(rest).toEqual(rest.length === 0 ? [] : others.slice(-rest.length))
      }),
      runs(500),
    )
  })

  it('C6 limiting twice is limiting once, and a larger budget never keeps less', () => {
    fc.assert(
      fc.property(fc.oneof(pairedHistories, anyHistories), options, fc.nat(300), (messages, chosen, more) => {
        const once = limit(messages, chosen)
        expect(limit(once.messages, chosen).messages).toEqual(once.messages)
        const wider = limit(messages, { ...chosen, budget: chosen.budget + more, hard: chosen.hard + more })
        if (wider.summaryDropped === once.summaryDropped) {
          expect(wider.messages.length).toBeGreaterThanOrEqual(once.messages.length)
        }
      }),
      runs(500),
    )
  })
})
