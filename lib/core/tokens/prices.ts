import type { Usage } from '../transcript/entry'
import type { Tokens, Usd } from '../units/units'
import { estimated, type Figure, measured, UNKNOWN } from './figure'
import { type ListedRates, listedRates, type Rate } from './listed-models'
import { NO_PRICES, type OwnPrices, ownRates, type PriceSource } from './own-prices'

/** US dollars per million tokens. */
export type Price = { readonly input: number; readonly output: number; readonly source: PriceSource }

/** Who answered a call, and when (milliseconds since the epoch): prices change with time. */
export type PricedCall = {
  readonly provider: string | null
  readonly model: string | null
  readonly at: number | null
}

/** What one call cost. The two never add up to one sum: the first was recorded, the second is what a list says. */
export type CallCost = {
  /** US dollars as the runtime recorded them; unknown where it recorded none, or zero. */
  readonly recorded: Figure
  /**
   * The same tokens at the operator's prices, else at list prices, where nothing was recorded. Batches, plans and
   * rebates are not in them.
   */
  readonly listed: Figure
  /** Whose prices `listed` is of; null where it is unknown. */
  readonly source: PriceSource | null
}

/** List prices leave out what a contract says; US dollars of a list are right to so many percent. */
const LIST_ERROR_PCT = 10
/** The operator says what is paid; what remains is how a bill is rounded. Percent. */
const OWN_ERROR_PCT = 1

/**
 * Prices of a model, for a prompt of so many tokens: the operator's own, else those of the list; null when neither has
 * it. `provider/model` or a model alone.
 */
export function priceOf(name: string, prompt = 0, own: OwnPrices = NO_PRICES): Price | null {
  const slash = name.indexOf('/')
  const [provider, model] = slash < 0 ? [null, name] : [name.slice(0, slash), name.slice(slash + 1)]
  const stated = ownRates(own, provider, model)
  if (stated !== null) return { input: stated.input, output: stated.output, source: 'settings' }
  const rates = (slash < 0 ? null : listedRates(provider, model, null)) ?? listedRates(null, name, null)
  if (rates === null) return null
  return { input: rateAt(rates.input, prompt), output: rateAt(rates.output, prompt), source: 'list' }
}

/** What the tokens of a call cost, and by how many percent that may be off. */
export type RatesOfCall = {
  readonly rates: ListedRates
  readonly errorPct: number
  readonly source: PriceSource
}

/** The operator's own prices for a call, else those of the list; null: neither has its model. */
export function ratesOfCall(
  { provider, model, at }: PricedCall,
  own: OwnPrices = NO_PRICES,
): RatesOfCall | null {
  const stated = ownRates(own, provider, model)
  if (stated !== null) return { rates: stated, errorPct: OWN_ERROR_PCT, source: 'settings' }
  const rates = listedRates(provider, model, at)
  return rates === null ? null : { rates, errorPct: LIST_ERROR_PCT, source: 'list' }
}

/**
 * What a call cost: as recorded, else at the operator's own prices, else at list prices, else unknown. Never 0 for want
 * of a price.
 */
export function costOf(usage: Usage, call: PricedCall, own: OwnPrices = NO_PRICES): CallCost {
  if (usage.costUsd !== null && usage.costUsd > 0)
    return { recorded: measured(usage.costUsd), listed: UNKNOWN, source: null }
  const found = ratesOfCall(call, own)
  if (found === null) return { recorded: UNKNOWN, listed: UNKNOWN, source: null }
  const { rates, errorPct, source } = found
  const usd = usdAtRates(usage, usage.output, rates)
  return { recorded: UNKNOWN, listed: estimated(usd, errorPct), source }
}

/** The prompt of a call, as its price depends on it. Tokens. */
export type PromptUsage = Pick<Usage, 'input' | 'cacheRead' | 'cacheWrite'> & {
  readonly cacheWrite1h?: Tokens | undefined
}

/** What a prompt costs without its answer. */
export function promptAtRates(usage: PromptUsage, rates: ListedRates): Usd {
  return usdAtRates(usage, 0, rates)
}

/** Tokens without their own price cost what the tokens they are a part of cost. */
function usdAtRates(usage: PromptUsage, output: Tokens, rates: ListedRates): Usd {
  const prompt = Math.max(0, usage.input + usage.cacheRead + usage.cacheWrite)
  const written = Math.min(Math.max(0, usage.cacheWrite), prompt)
  const longer = Math.min(usage.cacheWrite1h ?? 0, written)
  // Some providers report less input than they took from the cache; the sum is what was sent.
  const read = Math.min(Math.max(0, usage.cacheRead), prompt - written)
  const { input, cacheRead = input, cacheWrite = input, cacheWrite1h = cacheWrite } = rates
  const dollars =
    (prompt - read - written) * rateAt(input, prompt) +
    read * rateAt(cacheRead, prompt) +
    (written - longer) * rateAt(cacheWrite, prompt) +
    longer * rateAt(cacheWrite1h, prompt) +
    output * rateAt(rates.output, prompt)
  return dollars / 1e6
}

/** A prompt above the beginning of a tier is charged at that tier's price as a whole. */
function rateAt(rate: Rate, prompt: number): number {
  if (typeof rate === 'number') return rate
  return rate.tiers.findLast(({ start }) => prompt > start)?.price ?? rate.base
}
