import type { CallRecord } from '../../core/tokens/call-record'
import { CATEGORIES, type Category } from '../../core/tokens/category'
import type { Figure } from '../../core/tokens/figure'
import {
  basisOfLetter,
  type CallColumns,
  columnFigure,
  columnRow,
  priceSourceAt,
  totalAt,
} from './call-columns'

/** One category of one call. */
type CompositionRow = {
  readonly category: Category
  readonly tokens: Figure
  /** Part of the total, 0–1; null when the total is unknown. */
  readonly share: number | null
  /** Tokens more (or less) than at the call before; null when that is not known. */
  readonly delta: number | null
}

/** What is shown of a call as it was recorded. */
type RecordedAlike =
  | 'seq'
  | 'at'
  | 'output'
  | 'cacheRead'
  | 'cacheWrite'
  | 'costUsd'
  | 'listUsd'
  | 'listFrom'
  | 'seenTokens'
  | 'stopReason'

/** One call, ready to be shown. */
export type Composition = Pick<CallRecord, RecordedAlike> & {
  readonly call: number
  /** With its provider, as the page names it. */
  readonly model: string | null
  readonly total: Figure
  /** Categories that hold something now or held something at the call before, in stacking order. */
  readonly rows: readonly CompositionRow[]
  /** Total less the total of the call before; null when either is unknown or there is none before. */
  readonly delta: number | null
}

/** The composition of call `n`; null when `columns` does not hold it. The call before may be absent. */
export function compositionOf(columns: CallColumns, n: number): Composition | null {
  const row = columnRow(columns, n)
  if (row === null) return null
  const before = columnRow(columns, n - 1)
  const total = totalAt(columns, row)
  const comparable = before !== null && columns.total[before] !== null && total.value !== null ? before : null
  const rows: CompositionRow[] = []
  CATEGORIES.forEach((category, index) => {
    const tokens = columns.tokens[index]?.[row] ?? 0
    const earlier = comparable === null ? null : (columns.tokens[index]?.[comparable] ?? 0)
    if (tokens === 0 && (earlier ?? 0) === 0) return
    const basis = basisOfLetter(columns.bases[row]?.[index]) ?? 'measured'
    rows.push({
      category,
      tokens: columnFigure(tokens, basis, columns.splitErrorPct[row] ?? null),
      share: total.value === null || total.value === 0 ? null : tokens / total.value,
      delta: earlier === null ? null : tokens - earlier,
    })
  })
  const model = columns.model[row] ?? -1
  return {
    call: n,
    seq: columns.seq[row] ?? 0,
    at: columns.at[row] ?? null,
    model: columns.models[model] ?? null,
    total,
    rows,
    delta:
      comparable === null || total.value === null ? null : total.value - (columns.total[comparable] ?? 0),
    output: columns.output[row] ?? null,
    cacheRead: columns.cacheRead[row] ?? null,
    cacheWrite: columns.cacheWrite[row] ?? null,
    costUsd: columns.costUsd[row] ?? null,
    listUsd: columns.listUsd[row] ?? null,
    listFrom: priceSourceAt(columns, row),
    seenTokens: columns.seenTokens[row] ?? null,
    stopReason: columns.stopReason[row] ?? null,
  }
}

/** What made the context grow or shrink since the call before: the largest change first, unchanged ones left out. */
export function drivers(composition: Composition): { category: Category; delta: number }[] {
  return composition.rows
    .flatMap(({ category, delta }) => (delta === null || delta === 0 ? [] : [{ category, delta }]))
    .sort((a, b) => Math.abs(b.delta) - Math.abs(a.delta))
}
