import type { Milliseconds } from '../../core/units/units'
/**
 * The names of today's and yesterday's notes by the clock of this machine: `2026-11-21`, the newest first.
 * @param now milliseconds since the epoch
 */
export function localDays(now: Milliseconds): readonly string[] {
  const today = new Date(now)
  // By the calendar, since a day is not always 24 hours long.
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1)
  return [nameOf(today), nameOf(yesterday)]
}

function nameOf(day: Date): string {
  const two = (n: number) => String(n).padStart(2, '0')
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}
