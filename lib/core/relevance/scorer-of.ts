import type { Policy } from '../policy/policy'
import { logisticScorer } from './logistic-scorer'
import type { Scorer } from './score'
import { seedScorer } from './seed-scorer'

/** The scorer that a policy names. */
export function scorerOf(knobs: Policy['relevance']): Scorer {
  return knobs.scorer === 'logistic' ? logisticScorer() : seedScorer(knobs)
}
