/** How many dropped chunks had a score in `from` ≤ score < `to`; the last bin holds its upper end, too. */
type ScoreBin = { readonly from: number; readonly to: number; readonly count: number }

export type ScoreHistogram = {
  readonly bins: readonly ScoreBin[]
  /** Scores under 0 and over 1, which the literal recency of the plan gives. */
  readonly below: number
  readonly above: number
  /** Drops without a score. */
  readonly unknown: number
}

/** Bins from 0 to 1. */
export const SCORE_BINS = 20

/** Counts scores in bins of equal width. */
export class ScoreFold {
  private readonly counts = new Array<number>(SCORE_BINS).fill(0)
  private below = 0
  private above = 0
  private unknown = 0

  push(score: number | null): void {
    if (score === null) this.unknown++
    else if (score < 0) this.below++
    else if (score > 1) this.above++
    else {
      // Scores are sums: one that falls short of a bound by rounding belongs to the upper bin, as it is shown.
      const bin = Math.min(SCORE_BINS - 1, Math.floor(score * SCORE_BINS + 1e-9))
      this.counts[bin] = (this.counts[bin] ?? 0) + 1
    }
  }

  histogram(): ScoreHistogram {
    const bins = this.counts.map((count, i) => ({ from: i / SCORE_BINS, to: (i + 1) / SCORE_BINS, count }))
    return { bins, below: this.below, above: this.above, unknown: this.unknown }
  }
}
