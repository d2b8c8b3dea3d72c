import * as z from 'zod'
import type { Bytes } from '../core/units/units'
import { boundsShape } from './size-and-days'

/** How much room backups of written files may take, and for how long a write can be undone. */
export type BackupSettings = {
  /** Bytes. When they are full, a write that needs more is refused. */
  readonly quotaBytes: Bytes
  /** Days. Younger backups of a write that can be undone are never removed. */
  readonly keepDays: number
}

export const DEFAULT_BACKUPS: BackupSettings = { quotaBytes: 5 * 1024 ** 3, keepDays: 30 }

/** `backups:` of the settings file. */
export const backupsShape = z
  .strictObject(
    {
      ...boundsShape({ quota: '5GB', keep: '30d' }, 3650),
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
