import type { Usage } from './entry'
import { isObject, numberOf } from './json'

/**
 * Usage as a provider reported it, or null when there is none. Providers that report nothing leave zeros: those are
 * unknown, not nothing. A cost of zero is unknown too, since runtimes write zero for models without a price.
 */
export function readUsage(raw: unknown): Usage | null {
  if (!isObject(raw)) return null
  const input = amount(raw.input)
  const output = amount(raw.output)
  const cacheRead = amount(raw.cacheRead)
  const cacheWrite = amount(raw.cacheWrite)
  if (input + output + cacheRead + cacheWrite === 0) return null
  const cost = isObject(raw.cost) ? amount(raw.cost.total) : 0
  return { input, output, cacheRead, cacheWrite, costUsd: cost > 0 ? cost : null }
}

function amount(value: unknown): number {
  const n = numberOf(value) ?? 0
  return n > 0 ? n : 0
}
