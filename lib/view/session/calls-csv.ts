import { CATEGORIES } from '../../core/tokens/category'
import { type CsvCell, csvRows } from '../text/csv'
import { basisOfLetter, type CallColumns, priceSourceAt, windowAt } from './call-columns'

/** Rows that are written at a time. */
const PART_ROWS = 2_000

const HEADER = [
  'call',
  'time',
  'model',
  'window',
  'total',
  'basis',
  'error_pct',
  'output',
  'cache_read',
  'cache_write',
  'cost_usd',
  'list_price_usd',
  'price_source',
  'seen',
  'stop_reason',
  ...CATEGORIES,
]

/** Every call as a row of CSV, in parts: what it was sent, by category, and what is known of its answer. */
export function* callsCsv(calls: CallColumns): Generator<string> {
  yield csvRows([HEADER])
  for (let from = 0; from < calls.seq.length; from += PART_ROWS) {
    const count = Math.min(PART_ROWS, calls.seq.length - from)
    yield csvRows(Array.from({ length: count }, (_, i) => cellsOf(calls, from + i)))
  }
}

function cellsOf(calls: CallColumns, row: number): CsvCell[] {
  const at = calls.at[row] ?? null
  const total = calls.total[row] ?? null
  return [
    calls.from + row,
    at === null ? null : new Date(at).toISOString(),
    calls.models[calls.model[row] ?? -1] ?? null,
    windowAt(calls.windows, calls.from + row)?.tokens ?? null,
    total,
    basisOfLetter(calls.basis[row]) ?? 'unknown',
    calls.errorPct[row] ?? null,
    calls.output[row] ?? null,
    calls.cacheRead[row] ?? null,
    calls.cacheWrite[row] ?? null,
    calls.costUsd[row] ?? null,
    calls.listUsd[row] ?? null,
    priceSourceAt(calls, row),
    calls.seenTokens[row] ?? null,
    calls.stopReason[row] ?? null,
    ...CATEGORIES.map((_, index) => (total === null ? null : (calls.tokens[index]?.[row] ?? 0))),
  ]
}
