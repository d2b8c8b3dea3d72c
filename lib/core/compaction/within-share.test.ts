import { describe, expect, it } from 'vitest'
import { shortPlanInput } from '../../testing/builders/short-path'
import type { Policy } from '../policy/policy'
import { makePlan } from './make-plan'
import type { PlanResult } from './plan'
import type { PlanInput } from './plan-input'
import { planWithinShare } from './within-share'

/** Twelve messages of 300 tokens: 3,600 of a window of 4,000, of which history may hold 2,000. */
const WORDS = Array.from({ length: 6 }, () => 'u=300 a=300').join(' ')
const input = (compaction: Partial<Policy['compaction']>, turns: number | null = null): PlanInput => {
  const given = shortPlanInput(WORDS, 0, { window: 4000 })
  const { policy } = given
  const rolling = { ...policy.summary.rolling, enabled: turns !== null, windowTurns: turns ?? 0 }
  return {
    ...given,
    policy: {
      ...policy,
      compaction: { ...policy.compaction, withinShare: true, ...compaction },
      summary: { ...policy.summary, rolling },
    },
  }
}

/** Plans of which history holds so many tokens afterwards, by the tail that is asked for; null: there is no plan. */
function asked(given: PlanInput, after: (keep: number, turns: number) => number | null) {
  const real = makePlan(shortPlanInput(WORDS, 600))
  const tries: string[] = []
  const result = planWithinShare(given, ({ policy }): PlanResult => {
    const { keepRecentTokens: keep } = policy.compaction
    const { windowTurns: turns } = policy.summary.rolling
    tries.push(`${keep}/${turns}`)
    const held = after(keep, turns)
    if (held === null) return { kind: 'nothing', why: 'all-kept', tokensBefore: given.total }
    if (real.kind !== 'plan') throw new Error(real.why)
    const left = { 'system-prompt': 50, user: held - 10, summary: 10 }
    // Plans of one size differ in the tail that was asked for.
    return { ...real, recordTokensBefore: keep, after: left, warnings: [] }
  })
  return { result, tries }
}
const heldBy = (result: PlanResult) =>
  result.kind === 'plan' ? (result.after.user ?? 0) + (result.after.summary ?? 0) : result.why

describe('A11: summary and kept conversation within the share of history', () => {
  it('the first plan is taken where it fits to the token, and where the policy holds no share', () => {
    expect(asked(input({ keepRecentTokens: 4000 }), () => 2000).tries).toEqual(['4000/0'])
    expect(asked(input({ keepRecentTokens: 4000, withinShare: false }), () => 9999).tries).toEqual(['4000/0'])
    expect(asked(input({ keepRecentTokens: 4000, mode: 'off' }), () => null).tries).toEqual(['4000/0'])
  })

  it('without a plan, what the context holds now decides', () => {
    const small = { ...input({ keepRecentTokens: 4000 }), window: 7200 }
    expect(asked(small, () => null).tries).toEqual(['4000/0'])
    expect(asked({ ...small, window: 7198 }, () => null).tries.length).toBeGreaterThan(1)
  })

  it('protected turns give way first, then the tail is halved, and below 256 tokens nothing is kept by size', () => {
    const none = (keep: number, turns: number | null = null) =>
      asked(input({ keepRecentTokens: keep }, turns), () => 3000).tries
    expect(none(4000, 5)).toEqual(['4000/5', '2000/0', '1000/0', '500/0', '0/0'])
    expect(none(1024)).toEqual(['1024/0', '512/0', '256/0', '0/0'])
    expect(none(1023)).toEqual(['1023/0', '511/0', '0/0'])
    expect(none(0, 5)).toEqual(['0/5', '0/0'])
    expect(none(0)).toEqual(['0/0'])
  })

  it('the first plan that fits is taken, to the token', () => {
    const { result, tries } = asked(input({ keepRecentTokens: 4000 }), (keep) => (keep > 1000 ? 2001 : 2000))
    expect([tries, heldBy(result)]).toEqual([['4000/0', '2000/0', '1000/0'], 2000])
    expect(result.kind === 'plan' && result.warnings).toEqual([])
    const late = asked(input({ keepRecentTokens: 4000 }), (keep) => (keep > 500 ? null : 1500))
    expect([late.tries.at(-1), heldBy(late.result)]).toEqual(['500/0', 1500])
  })

  it('where none fits, the plan that keeps least is taken, the earliest of several, and it says by how much', () => {
    const sizes: { readonly [keep: number]: number } = {
      4000: 3000,
      2000: 2600,
      1000: 2400.6,
      500: 2400.6,
      0: 2500,
    }
    const { result, tries } = asked(input({ keepRecentTokens: 4000 }), (keep) => sizes[keep] ?? null)
    expect(tries).toHaveLength(5)
    expect(heldBy(result)).toBe(2400.6)
    expect(result).toMatchObject({ recordTokensBefore: 1000 })
    const [warning] = result.kind === 'plan' ? result.warnings : []
    expect(warning?.code).toBe('above-share')
    expect(warning?.message).toContain('about 2401 tokens, above the 2000 that history may hold')
    const first = asked(input({ keepRecentTokens: 4000 }), (keep) => (keep === 4000 ? 2100 : 2600))
    expect(heldBy(first.result)).toBe(2100)
  })

  it('without any plan, the answer is why there is none', () => {
    const { result, tries } = asked(input({ keepRecentTokens: 4000 }), () => null)
    expect([tries.length, heldBy(result)]).toEqual([5, 'all-kept'])
    // A later try may find one, which is better than none.
    expect(
      heldBy(asked(input({ keepRecentTokens: 4000 }), (keep) => (keep === 0 ? 2500 : null)).result),
    ).toBe(2500)
  })

  it('so it is with real plans: the tail is halved until summary and tail fit', () => {
    const planned = makePlan(input({ keepRecentTokens: 4000 }))
    if (planned.kind !== 'plan') throw new Error(planned.why)
    // Four messages and the summary: 1,210 tokens; of eight it would be 2,410.
    expect(planned.after).toEqual({ 'system-prompt': 50, user: 600, assistant: 600, summary: 10 })
    expect(planned.warnings).toEqual([])
    const free = makePlan(input({ keepRecentTokens: 2000, withinShare: false }))
    expect(free.kind === 'plan' && free.after).toMatchObject({ user: 900, assistant: 1200 })
    // The newest message alone is above the share.
    const huge = shortPlanInput('u=300 a=300 u=2500', 1000, { window: 4000 })
    const held = { ...huge.policy, compaction: { ...huge.policy.compaction, withinShare: true } }
    const above = makePlan({ ...huge, policy: held })
    expect(above.kind === 'plan' && above.warnings.map(({ code }) => code)).toEqual(['above-share'])
  })
})
