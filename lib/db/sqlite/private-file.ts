import { chmodSync, closeSync, lstatSync, openSync, statSync } from 'node:fs'

/** What SQLite keeps beside a database. */
const BESIDE = ['-wal', '-shm', '-journal']

/** Bits of a mode that let others in. */
const OTHERS = 0o077

/**
 * Sees to it that a database is its owner's alone, wherever it lies: it holds previews and words of transcripts. One
 * that is not there yet is made, empty; one that others can read, and what SQLite keeps beside it, is closed to them.
 * What SQLite makes later has the mode of the database. A file that belongs to another account is left as it is.
 * @param path as SQLite takes it: a file name, `:memory:`, or a URI
 */
export function keepPrivate(path: string): void {
  // Windows has no such bits.
  if (path === ':memory:' || process.platform === 'win32') return
  const isUri = path.startsWith('file:')
  const file = isUri ? decodeURI(path.slice('file:'.length).replace(/\?.*$/, '')) : path
  if (!isUri) makePrivate(file)
  close(file, statSync(file, { throwIfNoEntry: false }))
  for (const ending of BESIDE) {
    const stats = lstatSync(`${file}${ending}`, { throwIfNoEntry: false })
    // A link is not SQLite's doing.
    if (stats?.isFile()) close(`${file}${ending}`, stats)
  }
}

function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch {
    // It is there, or cannot be made; SQLite says why.
  }
}

function close(file: string, seen: ReturnType<typeof statSync>): void {
  if (seen === undefined || !seen.isFile() || (Number(seen.mode) & OTHERS) === 0) return
  try {
    chmodSync(file, 0o600)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && ['EPERM', 'EROFS'].includes(String(error.code))))
      throw error
  }
}
