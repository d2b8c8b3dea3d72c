import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { policyReplay } from '../../core/replay/policies/of-policy'
import { REPLAY_POLICIES } from '../../core/replay/policies/table'
import type { ReplayPolicy } from '../../core/replay/replay-policy'
import { TUNED_KNOBS, tunedPolicy } from '../../core/replay/tune/search-space'
import { sobolPoints } from '../../core/replay/tune/sobol'

/** As many policies as a tuning has: those that sessions are compared under, and points of a search. */
export function speedPolicies(count: number): ReplayPolicy[] {
  const points = sobolPoints(count - REPLAY_POLICIES.length, TUNED_KNOBS.length, 'bench')
  return [...REPLAY_POLICIES, ...points.map(pointReplay)]
}

function pointReplay(genes: readonly number[], number: number): ReplayPolicy {
  return policyReplay(tunedPolicy(DEFAULT_POLICY, genes), {
    id: `point ${number}`,
    label: `Point ${number}`,
    about: 'a point of a search',
    source: 'the bench',
    family: 'draft',
  })
}
