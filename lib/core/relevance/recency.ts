import type { Policy } from '../policy/policy'
import type { Milliseconds } from '../units/units'

const HOUR = 3_600_000

/** How recent something is before the bonus: 1 when new, falling with age (`decay`); hours of age (`literal`). */
export function recencyOf(
  ageMs: Milliseconds,
  { recency, recencyHours }: Pick<Policy['relevance'], 'recency' | 'recencyHours'>,
): number {
  // A clock that runs ahead makes nothing newer than new.
  const hours = Math.max(0, ageMs) / HOUR
  return recency === 'literal' ? hours : Math.exp(-hours / recencyHours)
}
