import { formatCount, formatPercent } from './format'

/** A change with its sign: `+25 816`, `−300`, `0`; `–` when it is not known. */
export function signedCount(delta: number | null): string {
  if (delta === null) return '–'
  return delta > 0 ? `+${formatCount(delta)}` : formatCount(delta)
}

/** A change as a share, with its sign: `+2.1 %`, `−14 %`, `0 %`. @param share 0.02 for two percent more */
export function signedPercent(share: number): string {
  const size = formatPercent(Math.abs(share))
  return /[1-9]/.test(size) ? `${share < 0 ? '−' : '+'}${size}` : size
}
