import type { BelievedWindow, WindowSource } from '../budget/window'
import type { Tokens, Usd } from '../units/units'
import type { PriceSource } from './own-prices'

/** One call as it is stored and drawn, in plain numbers and letters. `tokens` and `bases` in the order of CATEGORIES; times in milliseconds. */
export type CallRecord = {
  readonly n: number
  readonly seq: number
  readonly at: number | null
  readonly provider: string | null
  readonly model: string | null
  readonly window: Tokens
  readonly windowSource: WindowSource
  /** See `Window`; null: the same. */
  readonly believed: BelievedWindow | null
  readonly total: number | null
  readonly basis: string
  /** Half width of the error band of `total` in percent, when it is estimated; the same for the estimated categories. */
  readonly errorPct: number | null
  readonly splitErrorPct: number | null
  /** One letter each: m e u, or - for a category that holds nothing. */
  readonly bases: string
  readonly output: number | null
  readonly cacheRead: number | null
  readonly cacheWrite: number | null
  /** As the runtime recorded it, and at the operator's or list prices where it recorded none. US dollars. */
  readonly costUsd: Usd | null
  readonly listUsd: Usd | null
  /** Whose prices `listUsd` is of. */
  readonly listFrom: PriceSource | null
  readonly stopReason: string | null
  /** The tokens that the provider saw, where it cut the prompt to them; see Frame. */
  readonly seenTokens: Tokens | null
  /** Our own count where the report is in doubt, with its band; see Frame. */
  readonly sent: number | null
  readonly sentErrorPct: number | null
  readonly tokens: readonly number[]
}
