/** A fall to below this share of the call before is a compaction or a reset, not a change of pace. */
const FALL_SHARE = 0.8

/** Fewer steps than this are no pace. */
const MIN_STEPS = 3

/** Beyond this many calls the answer says nothing about the future. */
const MAX_CALLS = 1_000

/**
 * How many calls it takes from `current` to `line` at the pace of the last calls: the mean growth per call since the last
 * compaction or reset in `trend`.
 * @param input.trend prompt sizes of the last calls in tokens, oldest first; null = unknown
 * @param input.current tokens in the window now
 * @param input.line tokens of the level in question
 * @returns whole calls, at least 1; null when it has been passed, when nothing grows, or when too little is known
 */
export function callsToLine(input: {
  readonly trend: readonly (number | null)[]
  readonly current: number
  readonly line: number
}): number | null {
  const { trend, current, line } = input
  if (current >= line) return null
  const run = lastRun(trend)
  const first = run[0]
  const last = run.at(-1)
  if (first === undefined || last === undefined || run.length <= MIN_STEPS) return null
  const pace = (last - first) / (run.length - 1)
  if (pace <= 0) return null
  const calls = Math.max(1, Math.ceil((line - current) / pace))
  return calls > MAX_CALLS ? null : calls
}

/** The known values after the last fall. */
function lastRun(trend: readonly (number | null)[]): readonly number[] {
  const known = trend.filter((value): value is number => value !== null && value > 0)
  let start = 0
  for (let index = 1; index < known.length; index += 1) {
    if ((known[index] ?? 0) < (known[index - 1] ?? 0) * FALL_SHARE) start = index
  }
  return known.slice(start)
}
