import { isOverflowError } from '../compaction/overflow-error'
import type { Frame } from '../tokens/frame'
import type { ListedRates } from '../tokens/listed-models'
import type { OwnPrices } from '../tokens/own-prices'
import { promptAtRates, ratesOfCall } from '../tokens/prices'
import type { EntryFact } from '../transcript/entry'
import type { Usd } from '../units/units'

/**
 * A call once all is known of it: right before the next call, the next boundary, or the end. All that detectors ask is
 * worked out at once: they are many and small, and what is worked out when it is asked for is compiled into each of them.
 */
export class SettledCall {
  /** What `promptUsd` is worked out with; null: unknown. */
  readonly rates: ListedRates | null
  /**
   * What the prompt cost, its answer left out; null: unknown. At the operator's or list prices, as recorded costs are of
   * prompt and answer.
   */
  readonly promptUsd: Usd | null
  /** Half width of the band of `promptUsd` in percent. */
  readonly usdErrorPct: number
  /** Its provider refused the prompt as too long. */
  readonly isOverflow: boolean

  /**
   * @param before the call before it; null for the first one
   * @param afterBoundary a compaction or reset came between the two
   */
  constructor(
    readonly frame: Frame,
    readonly answer: EntryFact,
    readonly before: Frame | null,
    readonly afterBoundary: boolean,
    prices: OwnPrices,
  ) {
    const { usage, errorMessage } = answer
    const found = usage == null ? null : ratesOfCall(frame, prices)
    this.rates = found?.rates ?? null
    this.promptUsd = usage == null || found === null ? null : promptAtRates(usage, found.rates)
    this.usdErrorPct = found?.errorPct ?? 0
    this.isOverflow = errorMessage !== undefined && isOverflowError(errorMessage)
  }
}
