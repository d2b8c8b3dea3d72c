/** Bytes by unit; without one, bytes. */
export const SIZE_UNITS = { '': 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3, tb: 1024 ** 4 } as const

/** `5GB` in bytes; null: not a size. */
export function sizeInBytes(value: string | number): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*(kb|mb|gb|tb)?$/i.exec(String(value).trim())
  if (match === null) return null
  const unit = (match[2] ?? '').toLowerCase() as keyof typeof SIZE_UNITS
  return Math.round(Number(match[1]) * SIZE_UNITS[unit])
}

/** `30d` or 30 in days; null: not a number of days. */
export function spanInDays(value: string | number): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*d?$/i.exec(String(value).trim())
  return match === null ? null : Number(match[1])
}
