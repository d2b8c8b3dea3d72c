/**
 * Where a number comes from. `measured`: a provider or the runtime reported it, or it was counted exactly.
 * `estimated`: our estimator says so, give or take `errorPct`. `unknown`: there is no figure; never shown as 0.
 */
export type Basis = 'measured' | 'estimated' | 'unknown'

/** A number that knows its basis. `value` is null exactly when the basis is `unknown`. */
export type Figure =
  | { readonly value: number; readonly basis: 'measured' }
  | { readonly value: number; readonly basis: 'estimated'; readonly errorPct: number }
  | { readonly value: null; readonly basis: 'unknown' }

export const UNKNOWN: Figure = { value: null, basis: 'unknown' }

export function measured(value: number): Figure {
  return { value, basis: 'measured' }
}

/** @param errorPct half width of the error band in percent of `value`. */
export function estimated(value: number, errorPct: number): Figure {
  return { value, basis: 'estimated', errorPct }
}
