/** What many numbers come to; null where there is no number to use. */
export type NumberStats = {
  readonly count: number
  /** Lines that did not say. */
  readonly unknown: number
  readonly sum: number
  readonly min: number | null
  readonly median: number | null
  readonly mean: number | null
  readonly p95: number | null
  readonly max: number | null
}

/** Gathers numbers one by one; null counts as unknown, never as 0. */
export class NumberFold {
  private readonly values: number[] = []
  private unknown = 0

  push(value: number | null): void {
    if (value === null) this.unknown++
    else this.values.push(value)
  }

  /** Percentiles are those of the nearest rank: always a value that was there. */
  stats(): NumberStats {
    const sorted = Float64Array.from(this.values).sort()
    const count = sorted.length
    const rank = (share: number) => sorted[Math.max(0, Math.ceil(share * count) - 1)] ?? null
    const sum = sorted.reduce((total, value) => total + value, 0)
    return {
      count,
      unknown: this.unknown,
      sum,
      min: sorted[0] ?? null,
      median: rank(0.5),
      mean: count === 0 ? null : sum / count,
      p95: rank(0.95),
      max: sorted[count - 1] ?? null,
    }
  }
}
