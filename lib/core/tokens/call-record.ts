/** One call as it is stored and drawn, in plain numbers and letters. `tokens` and `bases` in the order of CATEGORIES; times in milliseconds. */
export type CallRecord = {
  readonly n: number
  readonly seq: number
  readonly at: number | null
  readonly provider: string | null
  readonly model: string | null
  readonly window: number
  readonly windowSource: string
  readonly total: number | null
  readonly basis: string
  /** Half width of the error band of `total` in percent, when it is estimated; the same for the estimated categories. */
  readonly errorPct: number | null
  readonly splitErrorPct: number | null
  /** One letter each: m e u, or - for a category that holds nothing. */
  readonly bases: string
  readonly output: number | null
  readonly cacheRead: number | null
  readonly cacheWrite: number | null
  readonly costUsd: number | null
  readonly stopReason: string | null
  readonly tokens: readonly number[]
}
