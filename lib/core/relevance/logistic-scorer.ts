import { LOGISTIC_FEATURES, type LogisticFeature, logisticFeatures } from './logistic-features'
import { type ChunkSignals, type Score, type ScorePart, type Scorer, sumOfParts } from './score'

type Coefficients = { readonly [F in LogisticFeature | 'base']: number }

/**
 * Fitted by `lib/testing/bench/relevance/relevance-bench.ts` on the real sessions of the corpus: which chunks with tool results
 * did a later call need, by the definition of lib/docs/relevance.md#needs; 21,846 pairs of a chunk and a call in ten
 * conversations of four owners, most of them of one long session. Fitted without an owner and judged on that owner's
 * pairs, its AUC was 0.864 (memfas's formula: 0.796). It foresees need, not need per token: large chunks score high.
 * `base` is shifted by the log of the odds of those that were needed (2 in 100), so that 0.5 is a chunk as likely to be
 * needed as the average one, and thresholds keep a meaning.
 */
export const LOGISTIC_COEFFICIENTS: Coefficients = {
  base: -3.059,
  age: -0.506,
  'since use': -0.303,
  uses: -0.23,
  size: 0.997,
  similarity: 0.686,
  'output similarity': 0.199,
  'span overlap': -0.724,
}

/** What a chunk scores of which nothing is known but its words: in the middle, moved by likeness alone. */
const UNKNOWN_USE: readonly ScorePart[] = [{ name: 'base', value: 0, note: 'use unknown' }]

/** How likely a chunk is to be needed again, from its age, use, size and likeness (lib/docs/relevance.md#scorers). */
export function logisticScorer(coefficients: Coefficients = LOGISTIC_COEFFICIENTS): Scorer {
  return { name: 'logistic', score: (signals) => logisticScore(signals, coefficients) }
}

function logisticScore(signals: ChunkSignals, coefficients: Coefficients): Score {
  const features = logisticFeatures(signals)
  const parts: readonly ScorePart[] =
    features === null
      ? [...UNKNOWN_USE, { name: 'similarity', value: signals.similarity * coefficients.similarity }]
      : [
          { name: 'base', value: coefficients.base },
          ...LOGISTIC_FEATURES.map((name, i) => ({ name, value: (features[i] ?? 0) * coefficients[name] })),
        ]
  return { value: 1 / (1 + Math.exp(-sumOfParts(parts))), scale: 'log-odds', parts }
}
