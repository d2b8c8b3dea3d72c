import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { REPLAY_POLICIES } from '../../core/replay/policies/table'
import { TUNED_KNOBS } from '../../core/replay/tune/search-space'
import { sobolPoints } from '../../core/replay/tune/sobol'
import type { PolicyChoice } from '../../engine/replay/policy-choice'

/** As many policies as a tuning has: those that sessions are compared under, and points of a search. */
export function speedPolicies(count: number): PolicyChoice[] {
  const points = sobolPoints(count - REPLAY_POLICIES.length, TUNED_KNOBS.length, 'bench')
  return [
    ...REPLAY_POLICIES.map(({ id }): PolicyChoice => ({ kind: 'named', id })),
    ...points.map(
      (genes, number): PolicyChoice => ({
        ...{ kind: 'point', id: `point ${number}`, base: DEFAULT_POLICY, genes },
      }),
    ),
  ]
}
