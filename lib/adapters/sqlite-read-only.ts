import { type BigIntStats, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { SourceProblem } from '../engine/source-problem'
import { asSourceProblem, errorCode, kindOf } from './regular-file'

/** A value as the driver gives it. Texts are read as blobs: the driver ends the process on text that is not UTF-8. */
export type SqliteValue = number | string | bigint | ArrayBuffer | null
export type SqliteRow = { readonly [column: string]: SqliteValue }

/** One moment of a database, for queries only. */
export interface SqliteSnapshot {
  all(sql: string, ...values: (string | number)[]): SqliteRow[]
  /** Names of a table's columns; empty when there is no such table. */
  columns(table: string): ReadonlySet<string>
}

/** How long to wait between attempts when another process holds the database. Milliseconds. */
const WAITS = [30, 80, 200, 500]

/**
 * Runs queries on a database that other processes may be writing, without writing a byte beside or into it. All
 * queries of one call see one state. `use` may be called more than once.
 *
 * The driver ignores its own `readonly` option, so everything depends on the name under which the database is opened:
 * - Without a write-ahead log, or with an empty one, as `immutable`: SQLite then neither locks nor makes side files.
 *   That nobody wrote meanwhile is checked afterwards.
 * - With a log, as `mode=ro` with `readonly_shm`: SQLite follows the log but leaves its index file alone. Plain
 *   `mode=ro` would make the log's files where they are missing.
 * - With a rollback journal, the same, because the lock tells whether the journal's writer is alive.
 *
 * @throws SourceProblem
 */
export async function readSqlite<T>(file: string, use: (snapshot: SqliteSnapshot) => T): Promise<T> {
  const { default: Database } = await import('libsql')
  for (let attempt = 0; ; attempt++) {
    const wait = WAITS[attempt]
    const before = sidesOf(file)
    const immutable = before.log === null && before.journal === null
    try {
      const result = query(new Database(nameOf(file, immutable)), use)
      if (!immutable || same(before, sidesOf(file))) return result
      if (wait === undefined) throw locked(file)
    } catch (error) {
      if (error instanceof SourceProblem) throw error
      // A page torn by a writer looks like damage; what counts is whether it does when nobody writes.
      const passing = isBusy(error) || (immutable && !same(before, sidesOf(file)))
      if (!passing) throw sqliteProblem(error, file)
      if (wait === undefined) throw locked(file)
    }
    await setTimeout(wait)
  }
}

type Connection = {
  prepare(sql: string): { all(...values: unknown[]): unknown[] }
  exec(sql: string): unknown
  close(): unknown
}

function query<T>(connection: Connection, use: (snapshot: SqliteSnapshot) => T): T {
  try {
    connection.exec('BEGIN')
    const prepared = new Map<string, ReturnType<Connection['prepare']>>()
    const all = (sql: string, ...values: (string | number)[]) => {
      const statement = prepared.get(sql) ?? connection.prepare(sql)
      prepared.set(sql, statement)
      return statement.all(...values) as SqliteRow[]
    }
    const columns = (table: string) =>
      new Set(
        all('SELECT CAST(name AS BLOB) AS name FROM pragma_table_info(?)', table).map((row) =>
          textOf(row.name),
        ),
      )
    return use({ all, columns })
  } finally {
    connection.close()
  }
}

type Sides = {
  readonly main: BigIntStats
  /** null: absent or empty. */
  readonly log: BigIntStats | null
  readonly journal: BigIntStats | null
}

function sidesOf(file: string): Sides {
  try {
    const main = statSync(file, { bigint: true })
    if (main.isFile()) return { main, log: filled(`${file}-wal`), journal: filled(`${file}-journal`) }
    throw new SourceProblem('not-regular', file, `${file} is ${kindOf(main)}, not a database file.`)
  } catch (error) {
    throw asSourceProblem(error, file)
  }
}

/** Changes whenever somebody writes to the database or its log. */
export function sqliteStamp(file: string): string {
  const { main, log, journal } = sidesOf(file)
  return [main, log, journal]
    .map((s) => (s === null ? '-' : `${s.dev} ${s.ino} ${s.size} ${s.mtimeNs}`))
    .join(' ')
}

function filled(file: string): BigIntStats | null {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stat === undefined || stat.size === 0n ? null : stat
}

function same(a: Sides, b: Sides): boolean {
  return (
    a.main.dev === b.main.dev &&
    a.main.ino === b.main.ino &&
    a.main.size === b.main.size &&
    a.main.mtimeNs === b.main.mtimeNs &&
    b.log === null &&
    b.journal === null
  )
}

/** The name as an URI: `?`, `#` and `%` in a path would else begin something of their own. */
function nameOf(file: string, immutable: boolean): string {
  const encoded = file.split(path.sep).map(encodeURIComponent).join('/')
  return `file:${encoded}?mode=ro&${immutable ? 'immutable' : 'readonly_shm'}=1`
}

function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(errorCode(error) ?? '')
}

function locked(file: string): SourceProblem {
  return new SourceProblem(
    'locked',
    file,
    `${file} is locked by another process. Its sessions are read as soon as it lets go; if it never does, see which process holds it (for instance with: fuser ${file}).`,
  )
}

function sqliteProblem(error: unknown, file: string): SourceProblem {
  const code = errorCode(error) ?? ''
  const message = error instanceof Error ? error.message : String(error)
  if (code.startsWith('SQLITE_NOTADB')) {
    return new SourceProblem('unreadable', file, `${file} is not an SQLite database.`, { cause: error })
  }
  if (code.startsWith('SQLITE_READONLY')) {
    return new SourceProblem(
      'locked',
      file,
      `${file} was left in the middle of a write. Start OpenClaw once: it finishes or undoes the write. Until then it is not read.`,
      { cause: error },
    )
  }
  if (code.startsWith('SQLITE_CORRUPT')) {
    return new SourceProblem(
      'unreadable',
      file,
      `${file} is damaged (${message}). Run "openclaw doctor", or restore it from a backup.`,
      { cause: error },
    )
  }
  return new SourceProblem('unreadable', file, `${file} cannot be read: ${message}`, { cause: error })
}

/** A blob as UTF-8 text; '' for NULL. */
export function textOf(value: SqliteValue | undefined): string {
  if (value instanceof ArrayBuffer) return Buffer.from(value).toString('utf8')
  return value === null || value === undefined ? '' : String(value)
}

/** A number column; null for NULL and for anything else. */
export function numberOf(value: SqliteValue | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
