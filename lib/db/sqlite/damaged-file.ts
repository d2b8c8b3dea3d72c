import { FullDiskError, isFullDisk } from './full-disk'

/** An SQLite file of ours of which SQLite cannot make sense (any more). Its message says what to do. */
export class DamagedFileError extends Error {
  readonly code = 'DATABASE_DAMAGED'
  readonly file: string

  constructor(file: string, cause: Error) {
    super(
      `${file} is damaged (${cause.message}). Restore it from a backup; or stop Plimsoll, move this file and those beside it whose names go on with -wal and -shm away, and start again: all is read anew from the stores, but for transcripts that have gone from them.`,
      { cause },
    )
    this.file = file
  }
}

/**
 * What to throw when a statement on `file` threw: the same, or a `DamagedFileError` if the file is to blame, or a
 * `FullDiskError` if its disk is.
 */
export function explainDamage(error: unknown, file: string): unknown {
  if (isFullDisk(error)) return new FullDiskError(file, error)
  if (!(error instanceof Error) || !('code' in error)) return error
  return /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code)) ? new DamagedFileError(file, error) : error
}
