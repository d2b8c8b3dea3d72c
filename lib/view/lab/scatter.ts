import { ticks } from 'd3-array'
import type { PolicyRole } from '../../core/replay/experiment-result'
import type { Interval } from '../../core/replay/replay-result'
import { formatPercent } from '../text/format'
import { type PlacedName, placeNames } from './place-names'

/** A policy as a point: saving to the right, long-range recall upwards. Shares. */
export type ScatterPoint = {
  readonly key: string
  /** Its number in the table beside it. */
  readonly number: number
  readonly label: string
  readonly role: PolicyRole
  readonly x: Interval
  readonly y: Interval
}

/** A point in its place. Pixels from the upper left corner. */
export type PlacedPoint = ScatterPoint & {
  readonly cx: number
  readonly cy: number
  /** The ends of the intervals. */
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  /** It saves less than the drawing has room for. */
  readonly isBeyond: boolean
  readonly text: string
  readonly name: PlacedName | null
}

/** Policies that cost more than this on top are drawn at the edge, else they alone would fill the drawing. */
const LOWEST_SAVING = -0.4
/** Width of a character of a label, about. Pixels. */
const CHARACTER = 6.3
/** Narrower drawings have numbers for names. Pixels. */
const NAMED_FROM = 420
/** These keep their name when there is not room for all. */
const FIRST: { readonly [R in PolicyRole]: number } = {
  'in-force': 0,
  recorded: 1,
  oracle: 2,
  tuned: 3,
  all: 4,
  policy: 5,
  random: 6,
}

/** Policies as points with their intervals, names and axes. */
export function scatterPlot(points: readonly ScatterPoint[], width: number, height: number) {
  const xs = domainOf(points.flatMap(({ x }) => [x.low, x.high, x.value]))
  const ys = domainOf(points.flatMap(({ y }) => [y.low, y.high, y.value]))
  const [fromX, toX] = [Math.max(LOWEST_SAVING, xs[0]), xs[1]]
  const [fromY, toY] = [Math.max(0, ys[0]), Math.min(1.02, ys[1])]
  const xOf = (value: number) =>
    ((Math.min(Math.max(value, fromX), toX) - fromX) / (toX - fromX || 1)) * width
  const yOf = (value: number) =>
    height - ((Math.min(Math.max(value, fromY), toY) - fromY) / (toY - fromY || 1)) * height
  const isNamed = width >= NAMED_FROM
  const placed = points
    .toSorted((a, b) => FIRST[a.role] - FIRST[b.role] || b.y.value - a.y.value || a.number - b.number)
    .map((point) => {
      const isBeyond = point.x.value < fromX
      const name = isNamed ? `${point.number} ${point.label}` : `${point.number}`
      return {
        ...point,
        ...{ cx: xOf(point.x.value), cy: yOf(point.y.value) },
        ...{ left: xOf(point.x.low), right: xOf(point.x.high) },
        ...{ top: yOf(point.y.high), bottom: yOf(point.y.low) },
        isBeyond,
        text: isBeyond ? `◂ ${name} (${formatPercent(point.x.value)})` : name,
      }
    })
  const names = placeNames(
    placed.map(({ cx, cy, text }) => ({ x: cx, y: cy, width: text.length * CHARACTER })),
    { width, height },
  )
  return {
    points: placed.map((point, i): PlacedPoint => ({ ...point, name: names[i] ?? null })),
    xTicks: ticks(fromX, toX, Math.max(2, Math.round(width / 110))).map((value) => ({
      label: formatPercent(value),
      at: xOf(value),
    })),
    yTicks: ticks(fromY, Math.min(1, toY), 5).map((value) => ({
      value,
      label: percentOf(value, toY - fromY),
      at: yOf(value),
    })),
    zero: fromX < 0 && toX > 0 ? xOf(0) : null,
  }
}

/** With as many digits as ticks of such a span need to differ. */
function percentOf(value: number, span: number): string {
  return span < 0.04 ? `${(value * 100).toFixed(1)}\u202f%` : formatPercent(value)
}

/** From the lowest to the highest, with room on both sides. */
function domainOf(values: readonly number[]): readonly [number, number] {
  const low = Math.min(...values, Number.POSITIVE_INFINITY)
  const high = Math.max(...values, Number.NEGATIVE_INFINITY)
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1]
  const room = Math.max((high - low) * 0.08, 0.005)
  return [low - room, high + room]
}
