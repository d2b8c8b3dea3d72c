import type { Tokens } from '../units/units'

/** Tokens that were reported, and the calls of them. */
export type ReportUsage = {
  readonly calls: number
  readonly input: Tokens
  readonly output: Tokens
  readonly cacheRead: Tokens
  readonly cacheWrite: Tokens
}

/** What was used on one day. */
export type DayUsage = ReportUsage & {
  /** UTC, as in `2026-11-01`. */
  readonly day: string
}

/** The days of both, each once, in their order. */
export function addDays(a: readonly DayUsage[], b: readonly DayUsage[]): DayUsage[] {
  const days = new Map(a.map((one) => [one.day, one]))
  for (const one of b) days.set(one.day, sumOf(days.get(one.day), one))
  return [...days.values()].sort((x, y) => (x.day < y.day ? -1 : 1))
}

function sumOf(known: DayUsage | undefined, one: DayUsage): DayUsage {
  if (known === undefined) return one
  return {
    day: one.day,
    calls: known.calls + one.calls,
    input: known.input + one.input,
    output: known.output + one.output,
    cacheRead: known.cacheRead + one.cacheRead,
    cacheWrite: known.cacheWrite + one.cacheWrite,
  }
}
