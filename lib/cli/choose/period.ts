import type { Milliseconds } from '../../core/units/units'
import { dayOf, daysBefore } from '../../view/overview/days'
import type { Since } from './parse-values'

/** The first moment of a period; null: everything. Days are whole ones, today among them. */
export function beginningOf(since: Since, now: Milliseconds): Milliseconds | null {
  if (since === 'all') return null
  return Date.parse('day' in since ? since.day : daysBefore(dayOf(now), since.days - 1))
}
