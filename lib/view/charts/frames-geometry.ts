import { CATEGORIES, type Category } from '../../core/tokens/category'
import type { Tokens } from '../../core/units/units'
import { type FrameSeries, isExact } from './frames-series'

/** Size of the plot in pixels and the tokens at its upper edge. */
export type PlotSize = { readonly width: number; readonly height: number; readonly top: number }

/** The shape of one category: a filled area, and its upper edge (without risers) for the gap to the layer above. */
type Layer = { readonly category: Category; readonly area: string; readonly edge: string }

export type FramesGeometry = {
  /** Only categories that hold something, in the order in which to paint them: the uppermost layer first. */
  readonly layers: readonly Layer[]
  /** The total where it is measured, and where it is estimated: their own outlines. */
  readonly measured: string
  readonly estimated: string
  /** How far the calls of a column went above and below the drawn one; empty when nothing was reduced. */
  readonly range: string
  /** Above what the provider saw, up to what was sent, of the calls whose prompt it cut; empty where it cut none. */
  readonly unseen: string
  /** Stretches in which no total is known, as [left, width] in pixels. */
  readonly gaps: readonly (readonly [number, number])[]
}

/**
 * The stacked area as SVG paths. A call is a column of constant height, since nothing is known between two calls.
 * Each area reaches from the baseline to the top of its layer, so that the layers above are painted first and
 * neighbours never show a seam. A column without a known total is left out of every path.
 */
export function framesGeometry(series: FrameSeries, size: PlotSize): FramesGeometry {
  const columns = series.first.length
  const x = (column: number) => round(columns === 0 ? 0 : (column * size.width) / columns)
  const y = (tokens: Tokens) => round(size.height - (Math.min(tokens, size.top) / size.top) * size.height)
  const known = (column: number) => series.total[column] !== null
  const sums = cumulate(series)

  const layers: Layer[] = []
  CATEGORIES.forEach((category, index) => {
    if (!series.tokens[index]?.some((tokens, column) => tokens > 0 && known(column))) return
    const tops = sums[index] ?? []
    layers.push({
      category,
      area: areaPath({ columns, x, y: (column) => y(tops[column] ?? 0), known, baseline: size.height }),
      edge: treadPath({ columns, x, y: (column) => y(tops[column] ?? 0), known }),
    })
  })

  const total = (column: number) => y(series.total[column] ?? 0)
  // Where several calls share a column, risers would be most of the ink; what lies between is drawn as the range.
  const outline = isExact(series) ? edgePath : treadPath
  return {
    layers: layers.reverse(),
    measured: outline({ columns, x, y: total, known: (column) => series.basis[column] === 'm' }),
    estimated: outline({ columns, x, y: total, known: (column) => series.basis[column] === 'e' }),
    range: rangePath(series, x, y),
    unseen: unseenPath(series, x, y),
    gaps: gapsOf(columns, x, known),
  }
}

/** Running sums over the categories, bottom first. */
function cumulate(series: FrameSeries): number[][] {
  const sums: number[][] = []
  let below: readonly number[] = series.first.map(() => 0)
  for (const tokens of series.tokens) {
    const sum = below.map((value, column) => value + (tokens[column] ?? 0))
    sums.push(sum)
    below = sum
  }
  return sums
}

type Steps = {
  readonly columns: number
  readonly x: (column: number) => number
  readonly y: (column: number) => number
  readonly known: (column: number) => boolean
}

/** A staircase over every unbroken run of known columns. */
function edgePath({ columns, x, y, known }: Steps): string {
  let path = ''
  for (let column = 0; column < columns; column++) {
    if (!known(column)) continue
    const fresh = column === 0 || !known(column - 1)
    if (fresh) path += `M${x(column)} ${y(column)}`
    else if (y(column) !== y(column - 1)) path += `V${y(column)}`
    if (!known(column + 1) || column + 1 === columns || y(column + 1) !== y(column))
      path += `H${x(column + 1)}`
  }
  return path
}

/** The level parts of the staircase alone. */
function treadPath({ columns, x, y, known }: Steps): string {
  let path = ''
  for (let column = 0; column < columns; column++) {
    if (!known(column)) continue
    if (column === 0 || !known(column - 1) || y(column) !== y(column - 1))
      path += `M${x(column)} ${y(column)}`
    if (column + 1 === columns || !known(column + 1) || y(column + 1) !== y(column))
      path += `H${x(column + 1)}`
  }
  return path
}

function areaPath({ columns, x, y, known, baseline }: Steps & { readonly baseline: number }): string {
  let path = ''
  for (let column = 0; column < columns; column++) {
    if (!known(column)) continue
    const fresh = column === 0 || !known(column - 1)
    const final = column + 1 === columns || !known(column + 1)
    if (fresh) path += `M${x(column)} ${baseline}V${y(column)}`
    else if (y(column) !== y(column - 1)) path += `V${y(column)}`
    if (final) path += `H${x(column + 1)}V${baseline}Z`
    else if (y(column + 1) !== y(column)) path += `H${x(column + 1)}`
  }
  return path
}

function rangePath(
  series: FrameSeries,
  x: (column: number) => number,
  y: (tokens: Tokens) => number,
): string {
  let path = ''
  series.first.forEach((_, column) => {
    const low = series.min[column] ?? null
    const high = series.max[column] ?? null
    if (low === null || high === null || low === high) return
    path += `M${round((x(column) + x(column + 1)) / 2)} ${y(low)}V${y(high)}`
  })
  return path
}

/**
 * One box for every run of calls with the same edges. Which messages it represents is unknown; how much it is, is not.
 */
function unseenPath(
  series: FrameSeries,
  x: (column: number) => number,
  y: (tokens: Tokens) => number,
): string {
  const boxes: { from: number; to: number; low: number; high: number }[] = []
  series.seen.forEach((seen, column) => {
    const total = series.total[column] ?? null
    if (seen === null || total === null || total <= seen) return
    const [low, high] = [y(seen), y(total)]
    const last = boxes.at(-1)
    if (last?.to === column && last.low === low && last.high === high) last.to = column + 1
    else boxes.push({ from: column, to: column + 1, low, high })
  })
  return boxes.map(({ from, to, low, high }) => `M${x(from)} ${low}V${high}H${x(to)}V${low}Z`).join('')
}

function gapsOf(
  columns: number,
  x: (column: number) => number,
  known: (column: number) => boolean,
): [number, number][] {
  const gaps: [number, number][] = []
  let start: number | null = null
  for (let column = 0; column <= columns; column++) {
    const gap = column < columns && !known(column)
    if (gap && start === null) start = column
    if (!gap && start !== null) {
      gaps.push([x(start), round(x(column) - x(start))])
      start = null
    }
  }
  return gaps
}

/** Tenths of a pixel: no screen shows more, and the paths stay short. */
function round(value: number): number {
  return Math.round(value * 10) / 10
}
