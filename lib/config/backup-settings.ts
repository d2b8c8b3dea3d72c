import * as z from 'zod'
import type { Bytes } from '../core/units/units'
import { SIZE_UNITS, sizeInBytes, spanInDays } from './size-and-days'

/** How much room backups of written files may take, and for how long a write can be undone. */
export type BackupSettings = {
  /** Bytes. When they are full, a write that needs more is refused. */
  readonly quotaBytes: Bytes
  /** Days. Younger backups of a write that can be undone are never removed. */
  readonly keepDays: number
}

export const DEFAULT_BACKUPS: BackupSettings = { quotaBytes: 5 * 1024 ** 3, keepDays: 30 }

const QUOTA = 'must be a size of at least 1MB, e.g. "5GB"'
const KEEP = 'must be a number of days from 1 to 3650, e.g. "30d"'

/** `backups:` of the settings file. */
export const backupsShape = z
  .strictObject(
    {
      quota: z
        .union([z.string(), z.number()], { error: QUOTA })
        .transform(sizeInBytes)
        .refine((bytes) => bytes !== null && bytes >= SIZE_UNITS.mb, { error: QUOTA })
        .nullish(),
      keep: z
        .union([z.string(), z.number()], { error: KEEP })
        .transform(spanInDays)
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
