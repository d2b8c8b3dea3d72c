import type { Basis, Figure } from '../../core/tokens/figure'
import { formatBytes, formatCount, formatPercent, formatShort, formatUsd } from './format'

/** How a figure's number is written: `count` in tables, `short` in charts, and the others by their unit. */
export type FigureForm = 'count' | 'short' | 'usd' | 'percent' | 'bytes'

const WRITERS: { readonly [F in FigureForm]: (value: number) => string } = {
  count: formatCount,
  short: formatShort,
  usd: formatUsd,
  percent: formatPercent,
  bytes: formatBytes,
}

export type FigureTextView = {
  /** The number as printed; null when unknown. */
  readonly value: string | null
  /** `≈`, `?` or nothing. */
  readonly mark: '' | '≈' | '?'
  /** What hovering says: the exact number and its basis. */
  readonly title: string
}

/** A figure as text: the number, the mark of its basis, and the words behind both. */
export function figureText(figure: Figure, form: FigureForm): FigureTextView {
  if (figure.basis === 'unknown') return { value: null, mark: '?', title: basisText('unknown', null) }
  const value = WRITERS[form](figure.value)
  const exact = form === 'short' ? `${formatCount(figure.value)}, ` : ''
  if (figure.basis === 'measured') return { value, mark: '', title: exact + basisText('measured', null) }
  return { value, mark: '≈', title: exact + basisText('estimated', figure.errorPct) }
}

/** The basis in words. @param errorPct half width of the error band in percent, when known. */
export function basisText(basis: Basis, errorPct: number | null): string {
  switch (basis) {
    case 'measured':
      return 'measured'
    case 'estimated':
      return errorPct === null ? 'estimated' : `estimated ± ${formatPercent(errorPct / 100)}`
    case 'unknown':
      return 'unknown: not reported, and it cannot be estimated'
  }
}
