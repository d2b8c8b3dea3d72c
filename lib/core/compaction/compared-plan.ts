import type { Figure } from '../tokens/figure'
import type { Tokens, Usd } from '../units/units'
import type { ChunkAction, NoPlan } from './plan'

/** What one policy would make of a session at a call. */
export type ComparedPlan<Name extends string = string> = {
  readonly name: Name
  /** The lowest of its lines at which it compacts without being asked; null when it has none. */
  readonly line: Tokens | null
  /** How often the recorded calls up to there rose through that line, and the number of the first that did. */
  readonly crossed: { readonly times: number; readonly first: number | null }
  readonly tokensBefore: Figure
  readonly tokensAfter: Figure
  /** Chunks by what becomes of them; null when there is nothing to compact. */
  readonly chunks: { readonly [A in ChunkAction]: number } | null
  /** Expected size of the summary; null when there is none. */
  readonly summaryTokens: Tokens | null
  /** Price of asking a model; null when it is unknown, or when there is nothing to compact. */
  readonly usd: Usd | null
  readonly nothing: NoPlan['why'] | null
  /** The policy before this one that does the same to every chunk; null when there is none. */
  readonly sameAs: Name | null
}
