import type { Policy } from '../policy/policy'
import { recencyOf } from './recency'
import { type ChunkSignals, type Score, type ScorePart, type Scorer, sumOfParts } from './score'

/**
 * The weighted sum of memfas: likeness × weight + recency × bonus + importance × bonus. Weights that add up to
 * more than 1 can lift a score above it, and so can the literal recency; the part `limit` takes off what is too much.
 */
export function seedScorer(knobs: Policy['relevance']): Scorer {
  return { name: 'seed', score: (signals) => seedScore(signals, knobs) }
}

function seedScore({ similarity, ageMs, important }: ChunkSignals, knobs: Policy['relevance']): Score {
  const parts: ScorePart[] = [
    similarity < knobs.similarityFloor
      ? { name: 'similarity', value: 0, note: 'below the floor' }
      : { name: 'similarity', value: similarity * knobs.similarityWeight },
    ageMs === null
      ? { name: 'recency', value: 0, note: 'age unknown' }
      : { name: 'recency', value: recencyOf(ageMs, knobs) * knobs.recencyBonus },
    { name: 'importance', value: important ? knobs.importanceBonus : 0 },
  ]
  const sum = sumOfParts(parts)
  if (sum > 1) parts.push({ name: 'limit', value: 1 - sum, note: 'no score is above 1' })
  return { value: Math.min(1, sum), scale: 'sum', parts }
}
