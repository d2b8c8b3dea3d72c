/** What the operator pays for one model: US dollars per million tokens. */
export type OwnRates = {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  /** Of what stays in the cache for five minutes, and for an hour. */
  readonly cacheWrite?: number
  readonly cacheWrite1h?: number
}

/** Prices from the operator's settings, by `provider/model` or by the model alone. Plain JSON. */
export type OwnPrices = { readonly [name: string]: OwnRates }

export const NO_PRICES: OwnPrices = {}

/** Whose price a cost was worked out with. */
export type PriceSource = 'settings' | 'list'

/** What the operator pays for a model: the price at this provider counts more than that of the model alone. */
export function ownRates(prices: OwnPrices, provider: string | null, model: string | null): OwnRates | null {
  if (model === null || isEmpty(prices)) return null
  const own = (name: string) => (Object.hasOwn(prices, name) ? (prices[name] ?? null) : null)
  return (provider === null ? null : own(`${provider}/${model}`)) ?? own(model)
}

/** Most operators state none, and each call asks. */
function isEmpty(prices: OwnPrices): boolean {
  for (const _ in prices) return false
  return true
}
