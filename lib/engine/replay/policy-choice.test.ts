import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { replaySession } from '../../core/replay/replay'
import { candidatePolicy } from '../../core/replay/tune/run-task'
import { TUNED_KNOBS } from '../../core/replay/tune/search-space'
import { sobolPoints } from '../../core/replay/tune/sobol'
import { NO_PRICES } from '../../core/tokens/own-prices'
import { madeSession } from '../../testing/builders/replay-sessions'
import { replayPolicyOf } from './policy-choice'

describe('points of a search', () => {
  const points = sobolPoints(20, TUNED_KNOBS.length, 'a test')
  const policyOf = (genes: readonly number[], base = DEFAULT_POLICY) =>
    replayPolicyOf({ kind: 'point', id: 'candidate', base, genes })

  it('become a policy once for all sessions, also where each task has its own copy of the base', () => {
    const first = points.map((genes) => policyOf(genes, structuredClone(DEFAULT_POLICY)))
    expect(points.map((genes) => policyOf(genes, structuredClone(DEFAULT_POLICY)))).toEqual(first)
    for (const [i, genes] of points.entries()) expect(policyOf(genes)).toBe(first[i])
    expect(new Set(first).size).toBe(points.length)
  })

  it('are those of their own base', () => {
    const { pruning } = DEFAULT_POLICY
    const other = { ...DEFAULT_POLICY, pruning: { ...pruning, keepRecentMs: 1, keepTools: ['read'] } }
    const session = madeSession(3, { chunks: 200, window: 30_000 })
    for (const genes of points)
      for (const base of [DEFAULT_POLICY, other, DEFAULT_POLICY]) {
        const made = candidatePolicy(base, { genes }, () => expect.fail('it has no name'))
        const [found, expected] = [policyOf(genes, base), made].map((policy) =>
          replaySession(session, policy, NO_PRICES),
        )
        expect(found).toEqual(expected)
      }
  })
})
