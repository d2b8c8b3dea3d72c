import { closeSync, constants, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import SqliteFile from 'libsql'
import * as z from 'zod'
import type { Milliseconds } from '../../core/units/units'
import { errorCode } from './regular-file'

const holderShape = z.object({
  pid: z.number(),
  host: z.string(),
  /** When it took the lease, in milliseconds. */
  since: z.number(),
  /** The process that started it: two of one dashboard have the same. */
  parent: z.number().optional(),
})

/** Who reads stores into a database. */
export type LeaseHolder = z.infer<typeof holderShape>

export type LeaseResult =
  | { readonly held: true; readonly lease: Lease }
  /** null: a visitor who is not signed in yet. */
  | { readonly held: false; readonly holder: LeaseHolder | null }

/** The right to read stores into one database, until `release` or the end of the process, however it ends. */
export type Lease = { release(): void }

/**
 * Tries to take the lease that `file` represents. The file is an empty SQLite database, and the lease is the write lock
 * on it in a transaction that stays open: the operating system gives it back when the process dies, so nothing can be
 * left over, and no heartbeat is needed. It is a file lock and no database of ours: no table, no SQL that another
 * engine would have to say, and so it is not in lib/db. Beside it, `<file>.json` names its owner.
 */
export function takeLease(file: string, now: Milliseconds): LeaseResult {
  const connection = new SqliteFile(file)
  const release = () => {
    // Closing alone would wait for the garbage collector to let go of the lock.
    if (connection.inTransaction) connection.exec('ROLLBACK')
    if (connection.open) connection.close()
  }
  try {
    connection.exec('PRAGMA busy_timeout = 0')
    connection.exec('BEGIN EXCLUSIVE')
    const holder: LeaseHolder = {
      pid: process.pid,
      host: hostname(),
      since: now,
      parent: process.ppid,
    }
    writeHolder(`${file}.json`, holder)
    return { held: true, lease: { release } }
  } catch (error) {
    release()
    if (isBusy(error)) return { held: false, holder: readHolder(file) }
    throw explain(error, file)
  }
}

/** Never through a link. Windows does not know that. */
const REPLACE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0)

function writeHolder(path: string, holder: LeaseHolder): void {
  const fd = openSync(path, REPLACE, 0o600)
  try {
    writeFileSync(fd, JSON.stringify(holder))
  } finally {
    closeSync(fd)
  }
}

function explain(error: unknown, file: string): unknown {
  if (!/^SQLITE_(CORRUPT|NOTADB)/.test(errorCode(error) ?? '')) return error
  const message = `${file} is damaged. It holds nothing, it is only locked by whoever reads the stores: delete it and start again.`
  return new Error(message, { cause: error })
}

/** The owner of the lease, without taking it or writing anything; null when there is none. */
export function lookAtLease(file: string): { readonly holder: LeaseHolder | null } | null {
  if (!existsSync(file)) return null
  const connection = new SqliteFile(`file:${encodeURI(file)}?mode=ro`)
  try {
    connection.exec('PRAGMA busy_timeout = 0')
    // The holder's lock keeps readers out as well.
    connection.exec('SELECT count(*) FROM sqlite_master')
    return null
  } catch (error) {
    if (isBusy(error)) return { holder: readHolder(file) }
    throw explain(error, file)
  } finally {
    if (connection.open) connection.close()
  }
}

function readHolder(file: string): LeaseHolder | null {
  try {
    return holderShape.parse(JSON.parse(readFileSync(`${file}.json`, 'utf8')))
  } catch {
    // Just being written.
    return null
  }
}

function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(errorCode(error) ?? '')
}
