import type { ChunkSignals } from './score'

/** The features of the logistic scorer (lib/docs/relevance.md#scorers), in the order of its coefficients. */
export const LOGISTIC_FEATURES = [
  'age',
  'since use',
  'uses',
  'size',
  'similarity',
  'output similarity',
  'span overlap',
] as const

export type LogisticFeature = (typeof LOGISTIC_FEATURES)[number]

/** The values of a chunk's features; null when nothing is known of how it was used. */
export function logisticFeatures({ similarity, use }: ChunkSignals): number[] | null {
  if (use === null) return null
  return [
    Math.log1p(use.callsSinceBorn),
    Math.log1p(use.callsSinceUse),
    Math.log1p(use.uses),
    Math.log1p(use.tokens),
    similarity,
    use.outputSimilarity,
    use.spanOverlap,
  ]
}
