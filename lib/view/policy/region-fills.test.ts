import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { type CategoryTokens, inOrder } from '../../core/tokens/category'
import { aggregateParts, type CallParts, regionEffect, regionEffectWords, sessionParts } from './region-fills'

const WINDOW = 100_000
const call = (tokens: CategoryTokens, output: number | null = null): CallParts => ({
  tokens: inOrder(tokens),
  output,
})
const session = (...calls: CallParts[]) => {
  const found = sessionParts(
    calls,
    calls.map(() => WINDOW),
  )
  if (found === null) throw new Error('nothing is known of it')
  return found
}
const budget = {
  ...DEFAULT_POLICY.budget,
  systemPromptRatio: 0.15,
  bootstrapRatio: 0.1,
  historyRatio: 0.4,
  responseRatio: 0.2,
  reallocate: false,
}
const groups = aggregateParts([
  session(
    call({ user: 10_000, 'tool-result': 40_000, 'system-prompt': 5_000 }, 1_000),
    call({ user: 60_500, 'bootstrap-file': 12_500 }),
  ),
  session(call({ assistant: 20_000, 'tool-schemas': 16_500 })),
])

describe('X8 regions over the sessions of the operator', () => {
  it('counts sessions that had more than a region at a call, and by how much at the fullest', () => {
    expect(regionEffect(groups, budget, 'history')).toEqual({ over: 1, of: 2, excess: 20_000 })
    expect(regionEffect(groups, budget, 'bootstrap')).toEqual({ over: 1, of: 2, excess: 2_000 })
    expect(regionEffect(groups, budget, 'systemPrompt')).toMatchObject({ over: 1, of: 2 })
    expect(regionEffect(groups, budget, 'response')).toEqual({ over: 0, of: 2, excess: 0 })
    expect(regionEffect(groups, budget, 'reserve')).toBeNull()
  })

  it('follows the ratio: a larger region has fewer over it', () => {
    const roomy = { ...budget, systemPromptRatio: 0.05, bootstrapRatio: 0.05, responseRatio: 0.1 }
    const overAt = (historyRatio: number) => regionEffect(groups, { ...roomy, historyRatio }, 'history')?.over
    expect([0.1, 0.4, 0.65].map(overAt)).toEqual([2, 1, 0])
  })

  it('history that gets what others leave is held against all of them together', () => {
    const shared = { ...budget, historyRatio: 0.4, reallocate: true, reserveForHistory: false }
    // 15 + 10 + 40 % for the three; the fullest prompt has 73 %.
    expect(regionEffect(groups, shared, 'history')).toEqual({ over: 1, of: 2, excess: 8_000 })
    expect(regionEffect(groups, { ...shared, reserveForHistory: true }, 'history')).toMatchObject({ over: 0 })
  })

  it('a session of which nothing is known is in no count', () => {
    expect(sessionParts([call({}), call({ residual: 9_000 })], [WINDOW, WINDOW])).toBeNull()
    expect(regionEffect([], budget, 'history')).toEqual({ over: 0, of: 0, excess: 0 })
  })

  it('says it in words', () => {
    const effect = { over: 31, of: 212, excess: 12_300 }
    expect(regionEffectWords('history', effect)).toBe('31 of 212 sessions over it, −12.3k tokens each\u202f≈')
    expect(regionEffectWords('history', { over: 0, of: 3, excess: 0 })).toBe('none of 3 sessions over it')
    expect(regionEffectWords('bootstrap', { over: 0, of: 0, excess: 0 })).toBe('no session to compare with')
    expect(regionEffectWords('reserve', null)).toBe('')
  })
})
