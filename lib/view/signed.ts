import { formatCount } from './format'

/** A change with its sign: `+25 816`, `−300`, `0`; `–` when it is not known. */
export function signedCount(delta: number | null): string {
  if (delta === null) return '–'
  return delta > 0 ? `+${formatCount(delta)}` : formatCount(delta)
}
