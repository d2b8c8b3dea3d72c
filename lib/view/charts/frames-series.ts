import { CATEGORIES } from '../../core/tokens/category'
import type { CallColumns } from '../session/call-columns'

/** Columns that the first paint gets: about one per 1.5 pixels of a wide screen, and 60 kB at most. */
export const DEFAULT_COLUMNS = 720

/**
 * Frames of a range of calls, reduced to at most one value per pixel column. The stack drawn in a column is that of its
 * last call with a known total; `min` and `max` tell how far the others went. With no more calls than columns, every
 * call has its own and nothing is lost. null is a gap.
 */
export type FrameSeries = {
  /** First and last call covered, both included. */
  readonly from: number
  readonly to: number
  /** First call of each column. The last one of a column is the first of the next less one. */
  readonly first: readonly number[]
  /** The call whose stack is drawn. */
  readonly drawn: readonly number[]
  readonly at: readonly (number | null)[]
  readonly total: readonly (number | null)[]
  readonly min: readonly (number | null)[]
  readonly max: readonly (number | null)[]
  /** Basis of the drawn total, one letter per column (m, e, u). */
  readonly basis: string
  /** What the provider saw of the drawn call, where it cut the prompt; null: it is not known to have cut it. Tokens. */
  readonly seen: readonly (number | null)[]
  /** Calls of the column whose total is unknown. */
  readonly unknown: readonly number[]
  /** Tokens by category in the order of CATEGORIES, then by column. */
  readonly tokens: readonly (readonly number[])[]
  /** Basis by category of the drawn call, one letter each in the order of CATEGORIES (`-` for none). */
  readonly bases: readonly string[]
}

/** Whether every call has its own column. */
export function isExact(series: FrameSeries): boolean {
  return series.first.length === series.to - series.from + 1
}

/**
 * Reduces the calls `from` to `to` (clipped to what `calls` holds) to at most `columns` columns.
 * Linear in the number of calls.
 */
export function reduceFrames(
  calls: CallColumns,
  range: { readonly from: number; readonly to: number },
  columns = DEFAULT_COLUMNS,
): FrameSeries {
  const start = Math.max(0, range.from - calls.from)
  const end = Math.min(calls.seq.length, range.to - calls.from + 1)
  const count = Math.max(0, end - start)
  const width = Math.min(count, Math.max(1, columns))
  const series = {
    first: [] as number[],
    drawn: [] as number[],
    at: [] as (number | null)[],
    total: [] as (number | null)[],
    min: [] as (number | null)[],
    max: [] as (number | null)[],
    seen: [] as (number | null)[],
    unknown: [] as number[],
    tokens: CATEGORIES.map(() => [] as number[]),
    bases: [] as string[],
  }
  let basis = ''
  for (let column = 0; column < width; column++) {
    const begin = start + Math.floor((column * count) / width)
    const stop = start + Math.floor(((column + 1) * count) / width)
    const part = summarise(calls, begin, stop)
    series.first.push(calls.from + begin)
    series.drawn.push(calls.from + part.drawn)
    series.at.push(calls.at[part.drawn] ?? null)
    series.total.push(calls.total[part.drawn] ?? null)
    series.min.push(part.min)
    series.max.push(part.max)
    series.seen.push(calls.seenTokens[part.drawn] ?? null)
    series.unknown.push(part.unknown)
    series.bases.push(calls.bases[part.drawn] ?? '')
    basis += calls.basis[part.drawn] ?? 'u'
    CATEGORIES.forEach((_, index) => {
      series.tokens[index]?.push(calls.tokens[index]?.[part.drawn] ?? 0)
    })
  }
  return { from: calls.from + start, to: calls.from + start + count - 1, ...series, basis }
}

/** The extremes of the rows `begin` to `stop` (excluded), and the row to draw. */
function summarise(
  calls: CallColumns,
  begin: number,
  stop: number,
): { drawn: number; min: number | null; max: number | null; unknown: number } {
  let drawn = stop - 1
  let min: number | null = null
  let max: number | null = null
  let unknown = 0
  for (let row = begin; row < stop; row++) {
    const total = calls.total[row] ?? null
    if (total === null) {
      unknown += 1
      continue
    }
    drawn = row
    min = min === null ? total : Math.min(min, total)
    max = max === null ? total : Math.max(max, total)
  }
  return { drawn, min, max, unknown }
}

/** `≈` after an estimated amount of a category in a column; nothing after a measured one, or where it holds nothing. */
export function estimateMark(series: FrameSeries, category: number, column: number): string {
  return series.bases[column]?.[category] === 'e' ? '\u202f≈' : ''
}

/** Whether the provider cut the prompt of a call that is drawn. */
export function hasCuts(series: FrameSeries): boolean {
  return series.seen.some((seen) => seen !== null)
}

/** The column that holds call `n`; null outside of the range. */
export function columnOf(series: FrameSeries, n: number): number | null {
  if (n < series.from || n > series.to) return null
  let low = 0
  let high = series.first.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((series.first[middle] ?? 0) <= n) low = middle
    else high = middle - 1
  }
  return low
}

/** The largest known total of the range; null when none is known. */
export function peakOf(series: FrameSeries): number | null {
  let peak: number | null = null
  for (const value of series.max) if (value !== null) peak = peak === null ? value : Math.max(peak, value)
  return peak
}
