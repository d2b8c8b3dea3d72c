const MINUTE = 60_000
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/**
 * The time of a tick: `14:02`, with the day in front (`21 Nov 14:02`) at the first tick and when the day has changed
 * since the one before.
 * @param at and @param before milliseconds since the epoch; `before` null at the first tick
 * @param offsetMinutes that the reader's clock is ahead of UTC
 */
export function axisTime(at: number, before: number | null, offsetMinutes: number): string {
  const moment = new Date(at + offsetMinutes * MINUTE).toISOString()
  const clock = moment.slice(11, 16)
  const day = moment.slice(0, 10)
  const earlier =
    before === null ? null : new Date(before + offsetMinutes * MINUTE).toISOString().slice(0, 10)
  if (day === earlier) return clock
  return `${Number(day.slice(8))} ${MONTHS[Number(day.slice(5, 7)) - 1]} ${clock}`
}

/** `14:02:11`, for one call. */
export function clockSeconds(at: number, offsetMinutes: number): string {
  return new Date(at + offsetMinutes * MINUTE).toISOString().slice(11, 19)
}
