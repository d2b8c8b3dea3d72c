import type { WindowSource } from '../core/budget/window'
import { CATEGORIES, type Category } from '../core/tokens/category'
import { type Basis, type Figure, measured, UNKNOWN } from '../core/tokens/figure'
import type { Frame } from '../core/tokens/frame'

/** The columns of `Call` that make up a frame; times in milliseconds. */
export type CallRow = {
  readonly n: number
  readonly seq: number
  readonly at: number | Date | null
  readonly provider: string | null
  readonly model: string | null
  readonly window: number
  readonly windowSource: string
  readonly total: number | null
  readonly basis: string
  readonly errorPct: number | null
  readonly splitErrorPct: number | null
  readonly categoriesJson: string
  readonly bases: string
  readonly output: number | null
  readonly cacheRead: number | null
  readonly cacheWrite: number | null
  readonly stopReason: string | null
}

const LETTERS: Readonly<Record<Basis, string>> = { measured: 'm', estimated: 'e', unknown: 'u' }
const BASES: Readonly<Record<string, Basis>> = { m: 'measured', e: 'estimated', u: 'unknown' }

/** Tokens of a frame's categories in the order of CATEGORIES. */
export function categoriesJsonOf(frame: Pick<Frame, 'categories'>): string {
  let text = '['
  for (const category of CATEGORIES) text += `${text === '[' ? '' : ','}${frame.categories[category] ?? 0}`
  return `${text}]`
}

/** Bases of a frame's categories in the order of CATEGORIES, a letter each. */
export function basesOf(frame: Pick<Frame, 'basis'>): string {
  let text = ''
  for (const category of CATEGORIES) {
    const basis = frame.basis[category]
    text += basis === undefined ? '-' : LETTERS[basis]
  }
  return text
}

/** The frame that a row was made from. */
export function frameOfRow(row: CallRow): Frame {
  const amounts = JSON.parse(row.categoriesJson) as readonly number[]
  const categories: { [C in Category]?: number } = {}
  const basis: { [C in Category]?: Basis } = {}
  CATEGORIES.forEach((category, i) => {
    const known = BASES[row.bases[i] ?? '-']
    if (known === undefined) return
    categories[category] = amounts[i] ?? 0
    basis[category] = known
  })
  return {
    call: row.n,
    seq: row.seq,
    at: row.at === null ? null : Number(row.at),
    provider: row.provider,
    model: row.model,
    window: { tokens: row.window, source: row.windowSource as WindowSource },
    total: figureOf(row.total, row.basis, row.errorPct),
    categories,
    basis,
    errorPct: row.splitErrorPct,
    output: row.output === null ? UNKNOWN : measured(row.output),
    cacheRead: row.cacheRead,
    cacheWrite: row.cacheWrite,
    stopReason: row.stopReason,
  }
}

/** A figure from its three columns. */
export function figureOf(value: number | null, basis: string, errorPct: number | null): Figure {
  if (value === null || basis === 'unknown') return UNKNOWN
  return basis === 'measured' ? measured(value) : { value, basis: 'estimated', errorPct: errorPct ?? 0 }
}
