import type { Window } from '../budget/window'
import type { Tokens } from '../units/units'
import type { Category, CategoryTokens } from './category'
import type { Basis, Figure } from './figure'

/** Whether a call ended without an answer: it may have been of another prompt than the next one. */
export function hasFailed({ stopReason }: Pick<Frame, 'stopReason'>): boolean {
  return stopReason === 'error' || stopReason === 'aborted'
}

/**
 * What filled the window at one call. Conservation: the tokens of `categories` add up to `total.value`
 * (to rounding), `residual` included; with an unknown total only what can be estimated is listed.
 */
export type Frame = {
  /** 1-based number of the call in file order. */
  readonly call: number
  /** Sequence number of the assistant entry that the call produced. */
  readonly seq: number
  readonly at: number | null
  readonly provider: string | null
  readonly model: string | null
  /** The model's context window in tokens, and where that figure comes from. */
  readonly window: Window
  /**
   * The prompt as sent, in tokens: input + cache read + cache write as reported; by our own count where nothing was
   * reported, and where the provider cut it.
   */
  readonly total: Figure
  /** The tokens that the provider saw, where it cut the prompt to them; null: it is not known to have cut anything. */
  readonly seenTokens: Tokens | null
  /** Our own count, where it is more than was reported and the report may be of a cut prompt; else null. Tokens. */
  readonly sent: Figure | null
  readonly categories: CategoryTokens
  /** Basis of each listed category; `errorPct` is shared by the estimated ones. */
  readonly basis: { readonly [C in Category]?: Basis }
  readonly errorPct: number | null
  /** Output of the call, in tokens. */
  readonly output: Figure
  readonly cacheRead: number | null
  readonly cacheWrite: number | null
  readonly stopReason: string | null
}
