import type { WindowSource } from '../../core/budget/window'
import type { Basis, Figure } from '../../core/tokens/figure'
import type { PriceSource } from '../../core/tokens/own-prices'
import type { Tokens } from '../../core/units/units'

/**
 * A run of consecutive calls, column by column: how frames travel to the browser and wait in the server's memory.
 * A session may have 20,000 calls, and one object per call and category would be ten times the size.
 * Arrays have one item per call; null is "not known", never 0.
 */
export type CallColumns = {
  /** Number of the first call, from 1. */
  readonly from: number
  /** The assistant entry of each call. */
  readonly seq: readonly number[]
  /** Milliseconds since the epoch. */
  readonly at: readonly (number | null)[]
  readonly total: readonly (number | null)[]
  /** One letter per call: m(easured), e(stimated), u(nknown). */
  readonly basis: string
  /** Half width in percent of the error band of an estimated total. */
  readonly errorPct: readonly (number | null)[]
  /** The same of the estimated categories. */
  readonly splitErrorPct: readonly (number | null)[]
  /** Tokens by category in the order of CATEGORIES, then by call. 0 where the category holds nothing. */
  readonly tokens: readonly (readonly number[])[]
  /** Basis by category, one letter each in the order of CATEGORIES (`-` for none), one string per call. */
  readonly bases: readonly string[]
  readonly output: readonly (number | null)[]
  readonly cacheRead: readonly (number | null)[]
  readonly cacheWrite: readonly (number | null)[]
  /** As recorded, and at the operator's or list prices where nothing was recorded. */
  readonly costUsd: readonly (number | null)[]
  readonly listUsd: readonly (number | null)[]
  /** Whose prices those are, one letter per call: s(ettings), l(ist), - for none. */
  readonly listFrom: string
  /** What the provider saw, where it cut the prompt. Tokens. */
  readonly seenTokens: readonly (number | null)[]
  readonly stopReason: readonly (string | null)[]
  /** `provider/model` of each call as an index into `models`; -1 when unknown. */
  readonly model: readonly number[]
  readonly models: readonly string[]
  /**
   * The context window from call `from` on, until the next of these. Ascending; the first one covers the first call.
   */
  readonly windows: readonly WindowSpan[]
}

/** A stretch of calls with one context window. */
export type WindowSpan = {
  /** First call of the stretch. */
  readonly from: number
  readonly tokens: Tokens
  readonly source: WindowSource
  /** The window that the lines of the runtime are in, in tokens; left out: the same. */
  readonly believed?: Tokens
}

/** Position of call `n` in the arrays, or null when it is not among them. */
export function columnRow(columns: CallColumns, n: number): number | null {
  const row = n - columns.from
  return row >= 0 && row < columns.seq.length ? row : null
}

/** The calls `from` to `to`, both included and clipped to what is there. The models keep their numbers. */
export function sliceCalls(columns: CallColumns, from: number, to: number): CallColumns {
  const start = Math.max(0, from - columns.from)
  const end = Math.max(start, Math.min(columns.seq.length, to - columns.from + 1))
  return {
    from: columns.from + start,
    seq: columns.seq.slice(start, end),
    at: columns.at.slice(start, end),
    total: columns.total.slice(start, end),
    basis: columns.basis.slice(start, end),
    errorPct: columns.errorPct.slice(start, end),
    splitErrorPct: columns.splitErrorPct.slice(start, end),
    tokens: columns.tokens.map((column) => column.slice(start, end)),
    bases: columns.bases.slice(start, end),
    output: columns.output.slice(start, end),
    cacheRead: columns.cacheRead.slice(start, end),
    cacheWrite: columns.cacheWrite.slice(start, end),
    costUsd: columns.costUsd.slice(start, end),
    listUsd: columns.listUsd.slice(start, end),
    listFrom: columns.listFrom.slice(start, end),
    seenTokens: columns.seenTokens.slice(start, end),
    stopReason: columns.stopReason.slice(start, end),
    model: columns.model.slice(start, end),
    models: columns.models,
    windows: spansFrom(columns.windows, columns.from + start),
  }
}

const BASIS_OF_LETTER: { readonly [letter: string]: Basis } = {
  m: 'measured',
  e: 'estimated',
  u: 'unknown',
}

/** The basis that a letter represents; null for `-` (the category holds nothing). */
export function basisOfLetter(letter: string | undefined): Basis | null {
  return letter === undefined ? null : (BASIS_OF_LETTER[letter] ?? null)
}

/**
 * A number with the basis that was stored beside it. An estimate without a known error is off by an unknown amount: 100
 * %.
 */
export function columnFigure(value: number | null, basis: Basis | null, errorPct: number | null): Figure {
  if (value === null || basis === 'unknown' || basis === null) return { value: null, basis: 'unknown' }
  if (basis === 'measured') return { value, basis }
  return { value, basis, errorPct: errorPct ?? 100 }
}

/** Whose prices the cost of row `row` is of, where none was recorded; null: it has none. */
export function priceSourceAt(columns: CallColumns, row: number): PriceSource | null {
  const letter = columns.listFrom[row]
  return letter === 's' ? 'settings' : letter === 'l' ? 'list' : null
}

/** The prompt size of the call in row `row`. */
export function totalAt(columns: CallColumns, row: number): Figure {
  return columnFigure(
    columns.total[row] ?? null,
    basisOfLetter(columns.basis[row]),
    columns.errorPct[row] ?? null,
  )
}

/**
 * What was sent in row `row` above what the provider saw of it, in tokens; null where it is not known to have cut it.
 */
export function unseenAt(columns: CallColumns, row: number): number | null {
  const seen = columns.seenTokens[row] ?? null
  const total = columns.total[row] ?? null
  return seen === null || total === null ? null : Math.max(0, total - seen)
}

/** The spans that matter from call `from` on: the one that covers it, and all later ones. */
function spansFrom(spans: readonly WindowSpan[], from: number): readonly WindowSpan[] {
  let first = 0
  spans.forEach((span, index) => {
    if (span.from <= from) first = index
  })
  return spans.slice(first)
}

/** The window that held at call `n`; null when no span covers it. */
export function windowAt(spans: readonly WindowSpan[], n: number): WindowSpan | null {
  let found: WindowSpan | null = null
  for (const span of spans) if (span.from <= n) found = span
  return found
}
