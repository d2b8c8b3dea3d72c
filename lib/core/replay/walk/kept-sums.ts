import type { Tokens } from '../../units/units'
import { type CallPrices, tierFactor } from './call-prices'
import type { SessionShape } from './session-shape'

/**
 * What the calls of a session come to while everything is kept, each a running sum: `cost[t]` is that of the calls before
 * call t, so each is one longer than the calls. It is what every replay is compared with, and what it comes to itself up
 * to the call at which its policy first changes something.
 */
export type KeptSums = {
  readonly tokens: Float64Array
  /** In units of one fresh input token, and in US dollars; NaN: no price is known. */
  readonly cost: Float64Array
  readonly usd: Float64Array
  /** Calls whose prompt does not fit. */
  readonly overfull: Int32Array
}

const known = new WeakMap<CallPrices, KeptSums>()

/** The sums of a session at the prices of its calls. */
export function keptSums(shape: SessionShape, prices: CallPrices): KeptSums {
  const before = known.get(prices)
  if (before !== undefined) return before
  const { promptAll, session } = shape
  const { count, window, output } = session.calls
  const sums: KeptSums = {
    tokens: new Float64Array(count + 1),
    cost: new Float64Array(count + 1),
    usd: new Float64Array(count + 1),
    overfull: new Int32Array(count + 1),
  }
  const { tokens, cost, usd, overfull } = sums
  for (let call = 0; call < count; call++) {
    const rate = prices.rates[prices.rateOf[call] as number] as CallPrices['rates'][number]
    const prompt = promptAll[call] as number
    const said = rate.output * Math.max(0, output[call] as number)
    const read = prices.warm[call] === 1 ? cachedTokens(prices, promptAll[call - 1] ?? 0) : 0
    const own = tierFactor(rate, prompt) * (rate.read * read + rate.write * (prompt - read) + said)
    const room = window[call] as number
    tokens[call + 1] = (tokens[call] as number) + prompt
    cost[call + 1] = (cost[call] as number) + own
    usd[call + 1] = (usd[call] as number) + own * rate.usd
    overfull[call + 1] = (overfull[call] as number) + (room > 0 && prompt > room ? 1 : 0)
  }
  known.set(prices, sums)
  return sums
}

/** How many tokens of a beginning are in the cache. */
export function cachedTokens({ floor, step }: CallPrices, tokens: Tokens): Tokens {
  if (tokens < floor) return 0
  return step === 1 ? tokens : tokens - (tokens % step)
}
