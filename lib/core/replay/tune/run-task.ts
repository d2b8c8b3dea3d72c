import type { Policy } from '../../policy/policy'
import { policyReplay } from '../policies/of-policy'
import type { ReplayPolicy } from '../replay-policy'
import type { SessionReplay } from '../replay-result'
import { tunedPolicy } from './search-space'
import type { TuneCandidate, TuneScore } from './tune-state'

/** What a candidate is replayed as. @param byId the policies that are named, the one in force among them */
export function candidatePolicy(
  base: Policy,
  candidate: TuneCandidate,
  byId: (id: string) => ReplayPolicy,
): ReplayPolicy {
  if ('id' in candidate) return byId(candidate.id)
  return policyReplay(tunedPolicy(base, candidate.genes), {
    id: 'candidate',
    label: 'Candidate',
    about: 'a point of the search',
    source: 'the tuner',
    family: 'draft',
  })
}

/** What replays come to, summed in their order. */
export function scoreOf(replays: readonly SessionReplay[]): TuneScore {
  const score = {
    costAll: 0,
    costSent: 0,
    needs: 0,
    met: 0,
    lost: 0,
    longAll: 0,
    longMet: 0,
    rewrites: 0,
    calls: 0,
    overfull: 0,
  }
  for (const { costAll, costSent, needs, longRange, rewrites, calls, overfull } of replays) {
    score.costAll += costAll
    score.costSent += costSent
    score.needs += needs.all
    score.met += needs.met
    score.lost += needs.lost
    score.longAll += longRange.all
    score.longMet += longRange.met
    score.rewrites += rewrites
    score.calls += calls
    score.overfull += overfull
  }
  return score
}
