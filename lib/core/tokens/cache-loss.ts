import type { Usage } from '../transcript/entry'
import type { Milliseconds, Tokens, Usd } from '../units/units'
import { type Frame, hasFailed } from './frame'
import type { ListedRates } from './listed-models'
import type { OwnPrices } from './own-prices'
import { type PromptUsage, promptAtRates, ratesOfCall } from './prices'

/** A pause after which a provider may have dropped what it had cached: the shortest that is in use. */
export const SHORTEST_CACHE: Milliseconds = 5 * 60_000

/** Less of the prompt before than this, read from the cache, is a cache that was lost. */
const STILL_CACHED = 0.5

/**
 * Tokens of the prompt before that were not read from the cache again; 0 where that is not the case, or cannot be known:
 * another model, a failed call, a provider that said nothing of a cache. A boundary between the two is the caller's.
 */
export function readAnew(before: Frame | null, frame: Frame, usage: Usage): Tokens {
  if (before === null || before.model !== frame.model) return 0
  if (hasFailed(before) || hasFailed(frame) || frame.total.value === null || before.total.value === null)
    return 0
  // Without a word of a cache there was none to lose.
  if ((before.cacheRead ?? 0) + (before.cacheWrite ?? 0) === 0) return 0
  const common = Math.min(before.total.value, frame.total.value)
  return usage.cacheRead >= common * STILL_CACHED ? 0 : common - usage.cacheRead
}

/** The prompt of a call at the operator's or list prices, its answer left out. */
export function promptPrice(usage: Usage | null, call: Frame, prices: OwnPrices): Usd | null {
  const found = usage === null ? null : ratesOfCall(call, prices)
  return usage === null || found === null ? null : promptAtRates(usage, found.rates)
}

/** What it cost that so many tokens were not read from the cache. */
export function extraPrice(usage: Usage, anew: Tokens, call: Frame, prices: OwnPrices): Usd | null {
  const found = ratesOfCall(call, prices)
  return found === null ? null : extraAtRates(usage, anew, found.rates)
}

/** The same where the prices of the call are at hand. */
export function extraAtRates(usage: PromptUsage, anew: Tokens, rates: ListedRates): Usd {
  const warm: PromptUsage = {
    cacheRead: usage.cacheRead + anew,
    cacheWrite: Math.max(0, usage.cacheWrite - anew),
    cacheWrite1h: usage.cacheWrite1h,
    input: Math.max(0, usage.input - Math.max(0, anew - usage.cacheWrite)),
  }
  return Math.max(0, promptAtRates(usage, rates) - promptAtRates(warm, rates))
}

/** What a prompt costs of which nothing is in the cache: it is written into it as a whole. */
export function coldAtRates(usage: PromptUsage, rates: ListedRates): Usd {
  const { input, cacheRead, cacheWrite, cacheWrite1h } = usage
  return promptAtRates({ input, cacheRead: 0, cacheWrite: cacheWrite + cacheRead, cacheWrite1h }, rates)
}
