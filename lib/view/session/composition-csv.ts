import { toCsv } from '../text/csv'
import type { Composition } from './composition'

/** The composition of one call as CSV: a row per category, and the total last. */
export function compositionCsv(composition: Composition): string {
  const header = ['call', 'category', 'tokens', 'share', 'basis', 'error_pct', 'delta']
  const rows = composition.rows.map(({ category, tokens, share, delta }) => [
    composition.call,
    category,
    tokens.value,
    share === null ? null : Number(share.toFixed(4)),
    tokens.basis,
    tokens.basis === 'estimated' ? tokens.errorPct : null,
    delta,
  ])
  const { total } = composition
  return toCsv(header, [
    ...rows,
    [
      composition.call,
      'total',
      total.value,
      total.value === null ? null : 1,
      total.basis,
      total.basis === 'estimated' ? total.errorPct : null,
      composition.delta,
    ],
  ])
}
