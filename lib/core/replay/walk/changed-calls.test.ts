import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { madeSession } from '../../../testing/builders/replay-sessions'
import { DEFAULT_POLICY } from '../../policy/default-policy'
import { NO_PRICES } from '../../tokens/own-prices'
import { policyReplay } from '../policies/of-policy'
import { REPLAY_POLICIES } from '../policies/table'
import { replayWithRegrets } from '../regrets'
import { replaySession } from '../replay'
import type { ReplayPolicy } from '../replay-policy'
import { TUNED_KNOBS, tunedPolicy } from '../tune/search-space'

const meta = { id: 'point', label: 'Point', about: 'a point', source: 'a test', family: 'draft' } as const
const gene = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const point = fc
  .array(gene, { minLength: TUNED_KNOBS.length, maxLength: TUNED_KNOBS.length })
  .map((genes) => policyReplay(tunedPolicy(DEFAULT_POLICY, genes), meta))
const policy = fc.oneof(point, fc.constantFrom(...REPLAY_POLICIES))

/** Sessions that policies leave alone, change late, and change at once. */
const session = fc
  .record({
    seed: fc.integer({ min: 0, max: 1_000 }),
    chunks: fc.integer({ min: 1, max: 150 }),
    window: fc.constantFrom(12_000, 30_000, 200_000),
    pauses: fc.constantFrom(0, 0.03, 0.2),
    model: fc.constantFrom('claude-sonnet-4-5', 'gemini-2.5-pro', 'unknown'),
  })
  .map(({ seed, ...made }) => madeSession(seed, made))

/** The policy where what a runtime reads again comes in as well: then every call is judged and paid by itself. */
function callByCall(policy: ReplayPolicy): ReplayPolicy {
  return {
    ...policy,
    start: (walk) => {
      walk.hasReread = true
      return policy.start(walk)
    },
  }
}

describe('calls up to the first one that a policy changes', () => {
  it('come to what they come to call by call', () => {
    fc.assert(
      fc.property(session, policy, (session, policy) => {
        expect(replaySession(session, policy, NO_PRICES)).toEqual(
          replaySession(session, callByCall(policy), NO_PRICES),
        )
      }),
      { numRuns: 150 },
    )
  })

  it('leave needs met that are judged by themselves: what is not met is what is listed', () => {
    fc.assert(
      fc.property(session, policy, (session, policy) => {
        const { needs, rules } = replaySession(session, policy, NO_PRICES)
        const unmet = replayWithRegrets(session, policy, NO_PRICES).regrets
        const sum = (verdict: string) =>
          unmet.reduce((all, regret) => all + (regret.verdict === verdict ? regret.weight : 0), 0)
        expect([needs.lost + rules.lost, needs.pointer + rules.pointer]).toEqual([
          sum('lost'),
          sum('pointer'),
        ])
        expect(needs.all + rules.all).toBe(session.needs.weight.reduce((all, weight) => all + weight, 0))
      }),
      { numRuns: 60 },
    )
  })
})
