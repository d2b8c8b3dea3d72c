import { isOverflowError } from '../compaction/overflow-error'
import type { Frame } from '../tokens/frame'
import type { ListedRates } from '../tokens/listed-models'
import type { OwnPrices } from '../tokens/own-prices'
import { promptAtRates, type RatesOfCall, ratesOfCall } from '../tokens/prices'
import type { EntryFact } from '../transcript/entry'
import type { Usd } from '../units/units'

/** A call once all is known of it: right before the next call, the next boundary, or the end. */
export class SettledCall {
  /** null: not looked up yet. */
  private found: { readonly rates: RatesOfCall | null } | null = null
  private paid: { readonly usd: Usd | null } | null = null

  /**
   * @param before the call before it; null for the first one
   * @param afterBoundary a compaction or reset came between the two
   */
  constructor(
    readonly frame: Frame,
    readonly answer: EntryFact,
    readonly before: Frame | null,
    readonly afterBoundary: boolean,
    private readonly prices: OwnPrices,
  ) {}

  /**
   * What the prompt cost, its answer left out; null: unknown. At the operator's or list prices, as recorded costs are of
   * prompt and answer. Few detectors need prices of a call: they are looked up for the first one that does.
   */
  get promptUsd(): Usd | null {
    if (this.paid !== null) return this.paid.usd
    const { rates, answer } = this
    const usd = rates === null || answer.usage == null ? null : promptAtRates(answer.usage, rates)
    this.paid = { usd }
    return usd
  }

  /** What `promptUsd` is worked out with; null: unknown. */
  get rates(): ListedRates | null {
    return this.lookUp()?.rates ?? null
  }

  /** Half width of the band of `promptUsd` in percent. */
  get usdErrorPct(): number {
    return this.lookUp()?.errorPct ?? 0
  }

  /** Its provider refused the prompt as too long. */
  get isOverflow(): boolean {
    const { errorMessage } = this.answer
    return errorMessage !== undefined && isOverflowError(errorMessage)
  }

  private lookUp(): RatesOfCall | null {
    this.found ??= { rates: this.answer.usage == null ? null : ratesOfCall(this.frame, this.prices) }
    return this.found.rates
  }
}
