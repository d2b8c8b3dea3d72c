import * as z from 'zod'
import type { Bytes } from '../core/units/units'
import { SIZE_UNITS, sizeInBytes, spanInDays } from './size-and-days'

/** Copies of transcripts that outlive what their runtime deletes. */
export type ArchiveSettings = {
  /** False: nothing new is copied; what is in the archive stays readable. */
  readonly enabled: boolean
  /** Days. The only copy of a transcript that was deleted more recently is never removed to make room. */
  readonly keepDays: number
  /** Bytes on disk, compressed. When they are full and nothing may go, nothing more is copied. */
  readonly quotaBytes: Bytes
}

/**
 * Off until the operator wants it: a transcript that a runtime deletes may be deleted on purpose, and a second copy of
 * private text is not made unasked. Ten times the period of Claude Code and OpenClaw is kept, in the room of about 100 GB
 * of transcripts.
 */
export const DEFAULT_ARCHIVE: ArchiveSettings = { enabled: false, keepDays: 365, quotaBytes: 10 * 1024 ** 3 }

const QUOTA = 'must be a size of at least 1MB, e.g. "10GB"'
const KEEP = 'must be a number of days from 1 to 36500, e.g. "365d"'

/** `archive:` of the settings file. */
export const archiveShape = z
  .strictObject(
    {
      enabled: z.boolean({ error: 'must be true or false' }).nullish(),
      quota: z
        .union([z.string(), z.number()], { error: QUOTA })
        .transform(sizeInBytes)
        .refine((bytes) => bytes !== null && bytes >= SIZE_UNITS.mb, { error: QUOTA })
        .nullish(),
      keep: z
        .union([z.string(), z.number()], { error: KEEP })
        .transform(spanInDays)
        .refine((days) => days !== null && days >= 1 && days <= 36_500, { error: KEEP })
        .nullish(),
    },
    { error: 'must be a map with enabled, keep and quota, e.g. { enabled: true, keep: 365d, quota: 10GB }' },
  )
  .nullish()
  .transform(
    (given): ArchiveSettings => ({
      enabled: given?.enabled ?? DEFAULT_ARCHIVE.enabled,
      keepDays: given?.keep ?? DEFAULT_ARCHIVE.keepDays,
      quotaBytes: given?.quota ?? DEFAULT_ARCHIVE.quotaBytes,
    }),
  )
