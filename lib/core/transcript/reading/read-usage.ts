import type { Usage } from '../entry'
import { isObject, numberOf } from '../json'

/**
 * Usage as a provider reported it, or null when there is none. Providers that report nothing leave zeros: those are
 * unknown, not nothing. A cost of zero is unknown too, since runtimes write zero for models without a price. Input may be
 * less than nothing: some providers report it less what came from the cache, and only the sum is what was sent.
 */
export function readUsage(raw: unknown): Usage | null {
  if (!isObject(raw)) return null
  const input = numberOf(raw.input) ?? 0
  const output = amount(raw.output)
  const cacheRead = amount(raw.cacheRead)
  const cacheWrite = amount(raw.cacheWrite)
  if (Math.max(0, input + cacheRead + cacheWrite) + output === 0) return null
  const cost = isObject(raw.cost) ? amount(raw.cost.total) : 0
  const cacheWrite1h = Math.min(amount(raw.cacheWrite1h), cacheWrite)
  const longer = cacheWrite1h > 0 ? { cacheWrite1h } : {}
  const reasoning = numberOf(raw.reasoning)
  const part = reasoning === undefined ? {} : { reasoning: Math.min(Math.max(0, reasoning), output) }
  return { input, output, cacheRead, cacheWrite, ...longer, ...part, costUsd: cost > 0 ? cost : null }
}

function amount(value: unknown): number {
  return Math.max(0, numberOf(value) ?? 0)
}
