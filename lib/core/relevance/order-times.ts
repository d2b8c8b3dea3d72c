import type { Milliseconds } from '../units/units'

/**
 * Time that is taken to lie between two messages of which neither says when it was written. Milliseconds; about what
 * lies between two in the recorded sessions of agents that work, pauses of people left out.
 */
const STEP_MS = 5 * 60_000

/** Times of messages, and how many of them are guesses by their order. */
export type OrderTimes = { readonly times: readonly number[]; readonly guessed: number }

/**
 * Takes order for age where messages do not say when they were written: between two that do, they lie at even
 * steps; before the first and after the last of those, and where none does, so many minutes apart, the newest one now.
 * Times never fall from one message to the next because of a guess, so an older message is never taken for newer.
 * @param at milliseconds since the epoch; null: unknown
 */
export function orderTimes(at: readonly (number | null)[], now: Milliseconds): OrderTimes {
  const times: number[] = []
  let guessed = 0
  let before = -1
  for (let i = 0; i < at.length; i++) {
    const own = at[i] ?? null
    if (own === null) {
      guessed += 1
      continue
    }
    fill(times, at, before, i, now)
    times[i] = own
    before = i
  }
  fill(times, at, before, at.length, now)
  return { times, guessed }
}

/** Fills in what lies between two places whose times are known; -1 and the length mean what is not there. */
function fill(
  times: number[],
  at: readonly (number | null)[],
  before: number,
  after: number,
  now: Milliseconds,
): void {
  const from = at[before] ?? null
  const to = at[after] ?? null
  for (let i = before + 1; i < after; i++) {
    // Behind the last that is known: up to now, which the newest one has.
    const end = to ?? Math.max(now, from ?? now)
    const back = to === null ? after - 1 - i : after - i
    const steps = to === null ? after - 1 - before : after - before
    const step = from === null ? STEP_MS : Math.min(STEP_MS, Math.max(0, (end - from) / steps))
    times[i] = end - back * step
  }
}
