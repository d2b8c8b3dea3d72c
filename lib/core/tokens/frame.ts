import type { Window } from '../budget/window'
import type { Category, CategoryTokens } from './category'
import type { Basis, Figure } from './figure'

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
  /** The prompt as sent, in tokens: input + cache read + cache write. */
  readonly total: Figure
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
