import { CATEGORIES } from '../core/tokens/category'
import { type CsvCell, toCsv } from './csv'
import type { FrameSeries } from './frames-series'

const BASIS_WORDS: { readonly [letter: string]: string } = { m: 'measured', e: 'estimated', u: 'unknown' }

/** Word for a basis letter of a series. */
export function basisWord(letter: string | undefined): string {
  return BASIS_WORDS[letter ?? 'u'] ?? 'unknown'
}

/** The frames on the chart as CSV: one row per column, its drawn call and what the other calls of it reached. */
export function framesCsv(series: FrameSeries): string {
  const header = ['call', 'time', 'total', 'basis', 'first_call', 'min', 'max', ...CATEGORIES]
  const rows = series.drawn.map((call, column): CsvCell[] => {
    const at = series.at[column] ?? null
    return [
      call,
      at === null ? null : new Date(at).toISOString(),
      series.total[column] ?? null,
      basisWord(series.basis[column]),
      series.first[column] ?? null,
      series.min[column] ?? null,
      series.max[column] ?? null,
      ...CATEGORIES.map((_, index) =>
        series.total[column] === null ? null : (series.tokens[index]?.[column] ?? 0),
      ),
    ]
  })
  return toCsv(header, rows)
}
