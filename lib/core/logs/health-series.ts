import type { Milliseconds } from '../units/units'
/** The fill of contexts over a stretch of time. Shares of the window from 0 to 1, times in milliseconds. */
export type HealthPoint = {
  readonly from: number
  readonly to: number
  readonly checks: number
  readonly lowest: number
  readonly highest: number
  readonly last: number
}

/** Most points of a series; then neighbours are joined. */
export const MOST_POINTS = 240

const MINUTE = 60_000

type Stretch = { checks: number; lowest: number; highest: number; last: number; lastAt: Milliseconds }

/** Health over time in a bounded number of points, whatever the number of checks and in whichever order they come. */
export class HealthFold {
  private width = MINUTE
  private stretches = new Map<number, Stretch>()
  private span: { first: number; last: number } | null = null

  push(at: number, share: number): void {
    const { span } = this
    this.span =
      span === null
        ? { first: at, last: at }
        : { first: Math.min(span.first, at), last: Math.max(span.last, at) }
    while (Math.floor(this.span.last / this.width) - Math.floor(this.span.first / this.width) >= MOST_POINTS)
      this.widen()
    this.join(Math.floor(at / this.width), {
      checks: 1,
      lowest: share,
      highest: share,
      last: share,
      lastAt: at,
    })
  }

  /** Stretches without a check are left out: a gap is not a zero. */
  points(): HealthPoint[] {
    return [...this.stretches]
      .sort(([a], [b]) => a - b)
      .map(([number, { checks, lowest, highest, last }]) => ({
        from: number * this.width,
        to: (number + 1) * this.width,
        checks,
        lowest,
        highest,
        last,
      }))
  }

  private widen(): void {
    const before = this.stretches
    this.width *= 2
    this.stretches = new Map()
    for (const [number, stretch] of before) this.join(Math.floor(number / 2), stretch)
  }

  private join(number: number, more: Stretch): void {
    const here = this.stretches.get(number)
    if (here === undefined) {
      this.stretches.set(number, { ...more })
      return
    }
    here.checks += more.checks
    here.lowest = Math.min(here.lowest, more.lowest)
    here.highest = Math.max(here.highest, more.highest)
    if (more.lastAt >= here.lastAt) {
      here.last = more.last
      here.lastAt = more.lastAt
    }
  }
}
