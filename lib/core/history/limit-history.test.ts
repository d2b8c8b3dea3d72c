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
import { historyBudget } from '../budget/regions'
import { DEFAULT_POLICY } from '../policy/default-policy'
import type { Policy } from '../policy/policy'
import { type HistoryLimits, limitHistory } from './limit-history'
import { limitTurns } from './limit-turns'
import { findUnpaired } from './pairing'

function policyHistory(over: Partial<Policy['history']> = {}): Policy['history'] {
  return { ...DEFAULT_POLICY.history, ...over }
}

function limit(messages: readonly LightMessage[], over: Partial<HistoryLimits<LightMessage>> = {}) {
  return limitHistory(messages, {
    history: policyHistory(),
    key: null,
    budget: null,
    tokensOf: lightTokens,
    ...over,
  })
}

const KEY = 'agent:a:telegram:direct:1:thread:9'

describe('limited history', () => {
  it('C9 without a limit everything since the compaction is sent', () => {
    const messages = history('summary assistant:a result:a user assistant user assistant:b result:b', 90_000)
    const limited = limit(messages)
    expect(limited.messages).toEqual(messages)
    expect(limited.removed).toEqual({ byTurns: 0, byTokens: 0, orphans: 0 })
    expect(limited).toMatchObject({ tokens: null, over: 0, summaryDropped: false })
  })

  it('A1 with the budget off the output is the turn-limited history', () => {
    const messages = history(
      Array.from({ length: 9 }, (_, i) => `user assistant:${i} result:${i} assistant`).join(' '),
      50_000,
    )
    const channels = { telegram: { dmTurns: 3, groupTurns: null, users: {} } }
    const limited = limit(messages, { history: policyHistory({ channels }), key: KEY })
    expect(limited.messages).toEqual(limitTurns(messages, 3))
    expect(limited.turnLimit.rule).toBe('direct')
    expect(limited.removed).toEqual({ byTurns: 24, byTokens: 0, orphans: 0 })
  })

  it('C6 takes turns first, then tokens, from the budget that the regions leave', () => {
    const { clamped } = historyBudget(
      200_000,
      { ...DEFAULT_POLICY.budget, enabled: true },
      {
        system: 8500,
        bootstrap: 3200,
      },
    )
    const messages = history(Array.from({ length: 40 }, () => 'user assistant').join(' '), 5000)
    const limited = limit(messages, { history: policyHistory({ maxTurns: 30 }), budget: clamped })
    expect(limited.removed).toEqual({ byTurns: 20, byTokens: 32, orphans: 0 })
    expect(limited.tokens).toBe(140_000)
    expect(limited.tokens).toBeLessThanOrEqual(clamped)
  })

  it('C8 a limit that falls between a call and its late result takes the result away too', () => {
    // The person wrote while the tool ran, so the cut falls between call and result.
    const messages = history('user assistant:a user result:a assistant')
    const limited = limit(messages, { history: policyHistory({ maxTurns: 1 }) })
    expect(historyWords(limited.messages)).toBe('user assistant')
    expect(limited.removed).toEqual({ byTurns: 2, byTokens: 0, orphans: 1 })
    expect(historyWords(limit(history('user result:x assistant')).messages)).toBe('user assistant')
  })

  it('C8 a result whose call did not fit goes as well, and its tokens with it', () => {
    const messages = history('user assistant:a user result:a assistant')
    const limited = limit(messages, { budget: 35 })
    expect(historyWords(limited.messages)).toBe('user assistant')
    expect(limited).toMatchObject({ tokens: 20, removed: { byTurns: 0, byTokens: 2, orphans: 1 } })
  })

  it('C10 a budget of nothing sends nothing old', () => {
    const messages = history('user assistant user assistant')
    expect(limit(messages, { budget: 0, promptSeparate: true }).messages).toEqual([])
  })

  it('C1 C6 C7 C8 no limit orphans a result, loses the newest user message, or changes the order', () => {
    const options = fc.record({
      budget: fc.option(fc.nat(900)),
      maxTurns: fc.option(fc.nat(6)),
      recentTurns: fc.nat(6),
    })
    fc.assert(
      fc.property(
        fc.oneof(pairedHistories, anyHistories),
        options,
        (messages, { budget, maxTurns, recentTurns }) => {
          const chosen = { history: policyHistory({ maxTurns, recentTurns }), budget }
          const once = limit(messages, chosen)
          expect(findUnpaired(once.messages).orphans).toEqual([])
          const newest = messages.findLast((m) => m.role === 'user')
          if (newest !== undefined) expect(once.messages).toContain(newest)
          expect(messages.filter((m) => once.messages.includes(m))).toEqual(once.messages)
          const { byTurns, byTokens, orphans } = once.removed
          expect(once.messages.length + byTurns + byTokens + orphans).toBe(messages.length)
          expect(once.tokens).toBe(budget === null ? null : totalOf(once.messages))
          expect(limit(once.messages, chosen).messages).toEqual(once.messages)
        },
      ),
      runs(400),
    )
  })
})
