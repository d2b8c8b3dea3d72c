import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import type { Policy } from '../../core/policy/policy'
import { inOrder } from '../../core/tokens/category'
import { policyEffects } from './policy-effects'
import { aggregateFills, NO_FILLS, sessionCrossings } from './policy-fills'
import { aggregateParts, sessionParts } from './region-fills'

const WINDOW = 100_000
const totals = [30_000, 60_500]
const windows = totals.map(() => WINDOW)
const calls = totals.map((user) => ({ tokens: inOrder({ user }), output: null }))
const fills = {
  ...aggregateFills([sessionCrossings(totals, windows) ?? []].flat()),
  parts: aggregateParts([sessionParts(calls, windows) ?? []].flat()),
}
const budget = { ...DEFAULT_POLICY.budget, reallocate: false, enabled: true, historyRatio: 0.45 }
const policy: Policy = { ...DEFAULT_POLICY, budget }

describe('X8 what a save would change for own sessions', () => {
  it('names regions and lines that other sessions would be over', () => {
    const roomy = { ...budget, systemPromptRatio: 0.05, bootstrapRatio: 0.05, historyRatio: 0.65 }
    const lines = {
      ...policy.lines,
      compact: { ...policy.lines.compact, enabled: true, at: 0.9 },
    }
    const was = { ...policy, lines: { ...lines, compact: { ...lines.compact, at: 0.5 } } }
    const words = policyEffects(was, { ...policy, budget: roomy, lines }, fills, WINDOW).map(
      ({ words: said }) => said,
    )
    expect(words).toContain('History region: 1 → 0 of 1 session over it')
    expect(words).toContain('Compact: 1 → 0 of 1 session reach it')
  })

  it('a switch that is moved is said, and nothing where nothing changes', () => {
    const off = { ...policy, budget: { ...budget, enabled: false } }
    expect(policyEffects(off, policy, fills, WINDOW)[0]?.words).toMatch(/: off → \d of 1 session/)
    expect(policyEffects(policy, policy, fills, WINDOW)).toEqual([])
    expect(
      policyEffects(off, { ...off, budget: { ...off.budget, historyRatio: 0.1 } }, fills, WINDOW),
    ).toEqual([])
    expect(policyEffects(off, policy, NO_FILLS, WINDOW)).toEqual([])
  })
})
