import type { Milliseconds, Tokens } from '../units/units'
/** What the scorers know of a chunk in respect of the present prompt. What is not known is null, never 0. */
export type ChunkSignals = {
  /** Likeness to the prompt, 0 … 1. */
  readonly similarity: number
  /** Milliseconds since the newest of its messages. */
  readonly ageMs: Milliseconds | null
  readonly important: boolean
  readonly use: UseSignals | null
}

/** How a chunk was used so far, as far as a transcript tells. Ages are counted in calls of the model. */
export type UseSignals = {
  readonly callsSinceBorn: number
  /** Calls since one wrote something that is in the chunk; since it was born when none did. */
  readonly callsSinceUse: number
  readonly uses: number
  readonly tokens: Tokens
  /** BM25 against what the model wrote last, 0 … 1. */
  readonly outputSimilarity: number
  /** Share of the spans of what the model wrote last that are in it, 0 … 1. */
  readonly spanOverlap: number
}

/** One summand of a score. */
export type ScorePart = { readonly name: string; readonly value: number; readonly note?: string }

/** A score from 0 to 1 and what it is made of. */
export type Score = {
  readonly value: number
  /** `sum`: the parts add up to the value. `log-odds`: they add up to ln(value / (1 − value)). */
  readonly scale: 'sum' | 'log-odds'
  readonly parts: readonly ScorePart[]
}

/** A way to score chunks, by the name that logs and receipts give it. */
export type Scorer = { readonly name: 'seed' | 'logistic'; readonly score: (signals: ChunkSignals) => Score }

/** What the parts of a score add up to. */
export function sumOfParts(parts: readonly ScorePart[]): number {
  return parts.reduce((sum, { value }) => sum + value, 0)
}
