import { highestOf } from '../../core/lists/long-lists'
import type { HealthPoint } from '../../core/logs/health-series'
import type { ScoreHistogram } from '../../core/logs/score-histogram'
import { type Tick, tokenTicks } from '../charts/chart-axis'
import { formatCount, formatPercent } from '../text/format'
import { dayLabel } from '../text/time'
import type { SavingsDay } from './activity'

/** Room of a plot for its axes, in pixels: left of it, above and below. */
export const PLOT = { left: 44, top: 8, bottom: 22 } as const

export type PlotTick = Tick & { readonly at: number }

export type PlotBar = {
  readonly key: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly title: string
}

/** Bars and ticks of a plot of this size, in pixels from its upper left corner. */
export type BarPlot = {
  readonly bars: readonly PlotBar[]
  readonly xTicks: readonly { readonly label: string; readonly at: number }[]
  readonly yTicks: readonly PlotTick[]
}

/** Drops by score; a bar for each bin. */
export function scorePlot({ bins }: ScoreHistogram, width: number, height: number): BarPlot {
  const most = Math.max(1, ...bins.map(({ count }) => count))
  const top = topOf(most)
  const scale = (value: number) => height - (value / top) * height
  return {
    bars: bins.map(({ from, to, count }) => ({
      key: from.toFixed(2),
      x: from * width + 0.5,
      width: Math.max(1, (to - from) * width - 1),
      y: scale(count),
      height: (count / top) * height,
      title: `${from.toFixed(2)} to ${to.toFixed(2)}: ${formatCount(count)} drops`,
    })),
    xTicks: [0, 0.2, 0.4, 0.6, 0.8, 1].map((value) => ({ label: value.toFixed(1), at: value * width })),
    yTicks: ticksOf(most, scale),
  }
}

/** Tokens saved by day: curations are on compactions. */
export function savingsPlot(
  days: readonly SavingsDay[],
  width: number,
  height: number,
): BarPlot & { readonly upper: readonly PlotBar[] } {
  const most = highestOf(
    days.map(({ compaction, curation }) => compaction + curation),
    1,
  )
  const top = topOf(most)
  const scale = (value: number) => height - (value / top) * height
  const step = width / Math.max(1, days.length)
  const bar = (day: SavingsDay, i: number, value: number, below: number, what: string): PlotBar => ({
    key: `${day.day} ${what}`,
    x: i * step + Math.min(2, step * 0.1),
    width: Math.max(1, Math.min(48, step - Math.min(4, step * 0.2))),
    y: scale(below + value),
    height: (value / top) * height,
    title: `${day.day}: ${formatCount(value)} tokens by ${what}`,
  })
  const every = Math.max(1, Math.ceil(days.length / Math.max(1, Math.floor(width / 70))))
  return {
    bars: days.map((day, i) => bar(day, i, day.compaction, 0, 'compactions')),
    upper: days.map((day, i) => bar(day, i, day.curation, day.compaction, 'curation')),
    xTicks: days.flatMap(({ day }, i) =>
      i % every === 0 ? [{ label: dayLabel(day), at: i * step + Math.min(24, step / 2) }] : [],
    ),
    yTicks: ticksOf(most, scale),
  }
}

/** Fill over time: each stretch from its lowest to its highest check. Stretches without a check are a gap. */
export function healthPlot(points: readonly HealthPoint[], width: number, height: number) {
  const [first, last] = [points[0]?.from ?? 0, points.at(-1)?.to ?? 1]
  const span = Math.max(1, last - first)
  const top = highestOf(
    points.map(({ highest }) => highest),
    1,
  )
  const scale = (share: number) => height - (share / top) * height
  const wanted = Math.max(1, Math.floor(width / 90))
  return {
    bars: points.map(
      ({ from, to, checks, lowest, highest, last: newest }): PlotBar & { readonly mark: number } => {
        const y = scale(highest)
        return {
          key: String(from),
          x: ((from - first) / span) * width,
          width: Math.max(1.5, ((to - from) / span) * width),
          y,
          height: Math.max(2, scale(lowest) - y),
          mark: scale(newest),
          title: `${new Date(from).toISOString().slice(0, 16).replace('T', ' ')} UTC: ${formatPercent(lowest)} to ${formatPercent(highest)} in ${formatCount(checks)} checks`,
        }
      },
    ),
    xTicks: momentsOf(first, last, wanted).map(({ label, at }) => ({
      label,
      at: ((at - first) / span) * width,
    })),
    yTicks: [0, 0.25, 0.5, 0.75, 1]
      .filter((share) => share <= top)
      .map((share) => ({ value: share, label: formatPercent(share), at: scale(share) })),
    scale,
  }
}

const DAY = 86_400_000

/** Moments that an axis of time names: beginnings of UTC days where several pass by, else clock times. */
function momentsOf(first: number, last: number, wanted: number): { label: string; at: number }[] {
  if (last - first <= 2 * DAY)
    return Array.from({ length: wanted + 1 }, (_, i) => {
      const at = first + ((last - first) * i) / wanted
      return { label: new Date(at).toISOString().slice(11, 16), at }
    })
  const start = Math.ceil(first / DAY) * DAY
  const count = Math.floor((last - start) / DAY) + 1
  const every = Math.ceil(count / wanted)
  return Array.from({ length: Math.ceil(count / every) }, (_, i) => {
    const at = start + i * every * DAY
    return { label: dayLabel(new Date(at).toISOString().slice(0, 10)), at }
  })
}

function topOf(most: number): number {
  return Math.max(most, tokenTicks(most, 3).at(-1)?.value ?? most)
}

function ticksOf(most: number, scale: (value: number) => number): PlotTick[] {
  return tokenTicks(most, 3).map((tick) => ({ ...tick, at: scale(tick.value) }))
}
