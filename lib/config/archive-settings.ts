import * as z from 'zod'
import type { Bytes } from '../core/units/units'
import { boundsShape } from './size-and-days'

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
 * Off until the operator turns it on: a transcript that a runtime deletes may be deleted on purpose, and a second copy of
 * private text is not made unasked. Ten times the period of Claude Code and OpenClaw is kept, in the room of about 100 GB
 * of transcripts.
 */
export const DEFAULT_ARCHIVE: ArchiveSettings = { enabled: false, keepDays: 365, quotaBytes: 10 * 1024 ** 3 }

/** `archive:` of the settings file. */
export const archiveShape = z
  .strictObject(
    {
      enabled: z.boolean({ error: 'must be true or false' }).nullish(),
      ...boundsShape({ quota: '10GB', keep: '365d' }, 36_500),
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
