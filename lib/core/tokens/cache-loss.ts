import type { Usage } from '../transcript/entry'
import type { Milliseconds, Tokens, Usd } from '../units/units'
import { type Frame, hasFailed } from './frame'
import type { OwnPrices } from './own-prices'
import { costOf } from './prices'

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
  return usage === null ? null : costOf({ ...usage, output: 0, costUsd: null }, call, prices).listed.value
}

/** What it cost that so many tokens were not read from the cache. */
export function extraPrice(usage: Usage, anew: Tokens, call: Frame, prices: OwnPrices): Usd | null {
  const written = Math.max(0, usage.cacheWrite - anew)
  const cached: Usage = {
    ...usage,
    cacheRead: usage.cacheRead + anew,
    cacheWrite: written,
    input: Math.max(0, usage.input - Math.max(0, anew - usage.cacheWrite)),
  }
  const [paid, warm] = [promptPrice(usage, call, prices), promptPrice(cached, call, prices)]
  return paid === null || warm === null ? null : Math.max(0, paid - warm)
}
