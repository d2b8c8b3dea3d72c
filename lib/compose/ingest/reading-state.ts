import { statfsSync } from 'node:fs'
import { hostname } from 'node:os'
import { lookAtLease } from '../../adapters/files/lease'
import { progressFile, type ReadingProgress, readProgress } from '../../adapters/files/reading-progress'
import type { Environment } from '../../config/env'
import { databasePath } from '../../db/database-url'
import { fullDiskText } from '../../db/sqlite/full-disk'

/** Who reads stores into the database: the process that belongs to this dashboard, another one, or none. */
export type ReadingState = {
  readonly reader: 'own' | 'other' | 'none'
  /** Where the other one is, as far as it said so. */
  readonly holder: { readonly pid: number; readonly host: string; readonly since: number } | null
  /** What is wrong with the disk, and what to do; null when there is room. */
  readonly disk: string | null
  /** How far a long reading is; null while there is none. */
  readonly progress: ReadingProgress | null
}

/** Less room than this, and the next few entries do not fit. Bytes. */
const LEAST_ROOM = 256 * 1024

/**
 * Looks, without taking or writing anything.
 * @param parent the process that started this one and its reader
 */
export function readingState({ databaseUrl }: Environment, parent: number): ReadingState {
  const file = databasePath(databaseUrl)
  const lease = lookAtLease(`${file}.lease`)
  const holder = lease?.holder ?? null
  const isOwn = holder === null || (holder.host === hostname() && holder.parent === parent)
  const { bavail, bsize } = statfsSync(file)
  return {
    reader: lease === null ? 'none' : isOwn ? 'own' : 'other',
    holder: isOwn ? null : holder,
    progress: lease === null ? null : readProgress(progressFile(file)),
    disk: bavail * bsize < LEAST_ROOM ? fullDiskText(file) : null,
  }
}
