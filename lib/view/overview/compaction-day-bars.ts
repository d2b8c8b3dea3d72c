import { highestOf } from '../../core/lists/long-lists'
import type { Tokens } from '../../core/units/units'
import { spacedOut, tokenTicks } from '../charts/chart-axis'
import { formatCount, formatQuantity } from '../text/format'
import { dayLabel } from '../text/time'
import type { CompactionDaysView } from './compaction-days'
import { DAYS_GAP, DAYS_SCALE } from './days-bars'

/** Size of the drawing in pixels; `scale`: room for the numbers on the left, as in the chart of tokens by day. */
export const COMPACTION_BARS = { height: 200, scale: DAYS_SCALE } as const

const TOP = 8
const ROW = 70
const BETWEEN = 18
const LABEL_WIDTH = 44
const LABEL_GAP = 28

type CompactionBar = {
  readonly key: string
  readonly tone: 'count' | 'mid-task' | 'tokens'
  readonly title: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export type CompactionBarRow = {
  readonly name: 'count' | 'tokens'
  /** Of the line that bars are on. */
  readonly ground: number
  readonly lines: readonly { readonly label: string; readonly y: number }[]
  readonly bars: readonly CompactionBar[]
}

/** How many compactions, and below what they freed, on one axis of days. A day that freed nothing has no bar. */
export function compactionBars(
  view: CompactionDaysView,
  width: number,
): {
  readonly rows: readonly CompactionBarRow[]
  readonly labels: readonly { readonly x: number; readonly label: string }[]
} {
  const band = Math.max(0, width - DAYS_SCALE) / Math.max(1, view.columns.length)
  const bar = Math.max(1, Math.floor(band * (1 - 2 * DAYS_GAP)))
  const x = (i: number) => DAYS_SCALE + (i + DAYS_GAP) * band
  const labels = view.columns.map(({ day }, i) => ({
    x: DAYS_SCALE + (i + 0.5) * band,
    width: LABEL_WIDTH,
    label: dayLabel(day),
  }))
  return { rows: [countRow(view, x, bar), tokenRow(view, x, bar)], labels: spacedOut(labels, LABEL_GAP) }
}

type Place = (index: number) => number

function countRow(view: CompactionDaysView, x: Place, width: number): CompactionBarRow {
  const ground = TOP + ROW
  const most = highestOf(
    view.columns.map(({ count }) => count),
    1,
  )
  const heightOf = (count: number) => (count / most) * ROW
  const bars = view.columns.flatMap(({ day, count, midTask }, i): CompactionBar[] => {
    if (count === 0) return []
    const title = `${day}: ${formatQuantity(count, 'compaction')}, ${formatCount(midTask)} mid-task`
    const low = heightOf(midTask)
    const high = heightOf(count - midTask)
    const part = (tone: CompactionBar['tone'], y: number, height: number) =>
      height <= 0 ? [] : [{ key: `${day} ${tone}`, tone, title, x: x(i), y, width, height }]
    return [...part('mid-task', ground - low, low), ...part('count', ground - low - high, high)]
  })
  return { name: 'count', ground, lines: [{ label: formatCount(most), y: TOP }], bars }
}

function tokenRow(view: CompactionDaysView, x: Place, width: number): CompactionBarRow {
  const top = TOP + ROW + BETWEEN
  const ground = top + ROW
  const most = highestOf(
    view.columns.map(({ reclaimed }) => reclaimed),
    0,
  )
  const ticks = tokenTicks(most, 2)
  const scale = Math.max(1, most, ticks.at(-1)?.value ?? 0)
  const heightOf = (tokens: Tokens) => (tokens / scale) * ROW
  const bars = view.columns.flatMap(({ day, reclaimed }, i): CompactionBar[] =>
    reclaimed <= 0
      ? []
      : [
          {
            key: day,
            tone: 'tokens',
            title: `${day}: ${formatQuantity(reclaimed, 'token')} reclaimed`,
            x: x(i),
            y: ground - heightOf(reclaimed),
            width,
            height: heightOf(reclaimed),
          },
        ],
  )
  const lines = ticks
    .filter(({ value }) => value > 0)
    .map(({ label, value }) => ({ label, y: ground - heightOf(value) }))
  return { name: 'tokens', ground, lines, bars }
}
