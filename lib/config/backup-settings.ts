import * as z from 'zod'
import type { Bytes } from '../core/units/units'

/** How much room backups of written files may take, and for how long a write can be undone. */
export type BackupSettings = {
  /** Bytes. When they are full, a write that needs more is refused. */
  readonly quotaBytes: Bytes
  /** Days. Younger backups of a write that can be undone are never removed. */
  readonly keepDays: number
}

export const DEFAULT_BACKUPS: BackupSettings = { quotaBytes: 5 * 1024 ** 3, keepDays: 30 }

const UNITS = { '': 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3, tb: 1024 ** 4 } as const

function bytesOf(value: string | number): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*(kb|mb|gb|tb)?$/i.exec(String(value).trim())
  if (match === null) return null
  const unit = (match[2] ?? '').toLowerCase() as keyof typeof UNITS
  return Math.round(Number(match[1]) * UNITS[unit])
}

function daysOf(value: string | number): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*d?$/i.exec(String(value).trim())
  return match === null ? null : Number(match[1])
}

const QUOTA = 'must be a size of at least 1MB, e.g. "5GB"'
const KEEP = 'must be a number of days from 1 to 3650, e.g. "30d"'

/** `backups:` of the settings file. */
export const backupsShape = z
  .strictObject(
    {
      quota: z
        .union([z.string(), z.number()], { error: QUOTA })
        .transform(bytesOf)
        .refine((bytes) => bytes !== null && bytes >= UNITS.mb, { error: QUOTA })
        .nullish(),
      keep: z
        .union([z.string(), z.number()], { error: KEEP })
        .transform(daysOf)
        .refine((days) => days !== null && days >= 1 && days <= 3650, { error: KEEP })
        .nullish(),
    },
    { error: 'must be a map with quota and keep, e.g. { quota: 5GB, keep: 30d }' },
  )
  .nullish()
  .transform(
    (given): BackupSettings => ({
      quotaBytes: given?.quota ?? DEFAULT_BACKUPS.quotaBytes,
      keepDays: given?.keep ?? DEFAULT_BACKUPS.keepDays,
    }),
  )
