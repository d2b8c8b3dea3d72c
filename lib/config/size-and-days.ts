import * as z from 'zod'

/** Bytes by unit; without one, bytes. */
const SIZE_UNITS = { '': 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3, tb: 1024 ** 4 } as const

/** `5GB` in bytes; null: not a size. */
function sizeInBytes(value: string | number): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*(kb|mb|gb|tb)?$/i.exec(String(value).trim())
  if (match === null) return null
  const unit = (match[2] ?? '').toLowerCase() as keyof typeof SIZE_UNITS
  return Math.round(Number(match[1]) * SIZE_UNITS[unit])
}

/** `30d` or 30 in days; null: not a number of days. */
function spanInDays(value: string | number): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*d?$/i.exec(String(value).trim())
  return match === null ? null : Number(match[1])
}

/**
 * `quota` and `keep` of settings that bound copies.
 * @param examples as errors show them @param mostDays the longest time that makes sense
 */
export function boundsShape(examples: { readonly quota: string; readonly keep: string }, mostDays: number) {
  const quotaError = `must be a size of at least 1MB, e.g. "${examples.quota}"`
  const keepError = `must be a number of days from 1 to ${mostDays}, e.g. "${examples.keep}"`
  return {
    quota: z
      .union([z.string(), z.number()], { error: quotaError })
      .transform(sizeInBytes)
      .refine((bytes) => bytes !== null && bytes >= SIZE_UNITS.mb, { error: quotaError })
      .nullish(),
    keep: z
      .union([z.string(), z.number()], { error: keepError })
      .transform(spanInDays)
      .refine((days) => days !== null && days >= 1 && days <= mostDays, { error: keepError })
      .nullish(),
  }
}
