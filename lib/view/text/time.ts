import type { Milliseconds } from '../../core/units/units'

/** How moments are written: relative to now, with the absolute time at hand. Both clocks are passed in. */
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * `now` (under two seconds), `4 s ago`, `12 min ago`, `3 h ago`, `5 d ago`, and the date from 60 days on. A moment that
 * lies ahead (clocks differ) reads `in 4 s`.
 * @param at and @param now milliseconds since the epoch
 */
export function relativeTime(at: number, now: Milliseconds): string {
  const gap = now - at
  const size = Math.abs(gap)
  if (size < 2 * SECOND) return 'now'
  if (size >= 60 * DAY) return new Date(at).toISOString().slice(0, 10)
  const amount = shortAge(size)
  return gap < 0 ? `in ${amount}` : `${amount} ago`
}

function shortAge(ms: number): string {
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)}\u202fs`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)}\u202fmin`
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)}\u202fh`
  return `${Math.floor(ms / DAY)}\u202fd`
}

/** `2026-07-01 14:02:11 UTC`: the same on every machine. */
export function absoluteTimeUtc(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** `2026-07-01 16:02:11 UTC+02:00` in the reader's own time zone. */
export function absoluteTimeLocal(at: number): string {
  const moment = new Date(at)
  const offset = -moment.getTimezoneOffset()
  const local = new Date(at + offset * MINUTE).toISOString().slice(0, 19).replace('T', ' ')
  return `${local} UTC${offset === 0 ? '' : zoneOffset(offset)}`
}

function zoneOffset(minutes: number): string {
  const size = Math.abs(minutes)
  const hours = String(Math.floor(size / 60)).padStart(2, '0')
  return `${minutes < 0 ? '−' : '+'}${hours}:${String(size % 60).padStart(2, '0')}`
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** `2026-07-01` → `1 Jul`. */
export function dayLabel(day: string): string {
  return `${Number(day.slice(8, 10))} ${MONTHS[Number(day.slice(5, 7)) - 1] ?? ''}`
}
