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
  /** `PRAGMA user_version`. */
  version(): number
}

/** How long to wait between attempts when another process is writing. Milliseconds. */
const WAITS = [30, 80, 200, 500]

/**
 * Queries databases that other processes may be writing, without writing a byte into or beside them. How a database is
 * opened depends on what stands beside it:
 *
 * - `still`: no write-ahead log, or an empty one. Opened as `immutable`: SQLite neither locks nor makes files.
 * - `logged`: a log and its index. Opened with `readonly_shm`: SQLite follows the log and leaves the index alone. A
 *   rollback journal is treated alike, because the lock tells whether its writer is alive.
 * - `copied`: a log without its index, as in a copy of a store. Opened without locks and in exclusive mode, where SQLite
 *   keeps the index in memory instead of making the file.
 *
 * Without a lock nothing keeps a writer away, so for `still` and `copied` it is checked afterwards that nobody wrote.
 *
 * The driver's own `readonly` option does nothing, and its connections close only when the garbage collector comes
 * by. So there is one connection to nothing, to which a database is attached for the time of one look.
 */
export class SqliteFiles {
  private readonly connections = new Map<Mode, Promise<Connection>>()

  /**
   * Runs queries that all see one state of the database. `use` may be called more than once.
   *
   * @throws SourceProblem
   */
  async read<T>(file: string, use: (snapshot: SqliteSnapshot) => T): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      const wait = WAITS[attempt]
      const before = sidesOf(file)
      const mode = modeOf(before)
      const connection = await this.connection(mode)
      try {
        const result = connection.look(nameOf(file, mode), use)
        if (mode === 'logged' || same(before, sidesOf(file))) return result
      } catch (error) {
        if (error instanceof SourceProblem) throw error
        // A page torn by a writer looks like damage; what counts is whether it does when nobody writes.
        if (!isBusy(error) && (mode === 'logged' || same(before, sidesOf(file))))
          throw sqliteProblem(error, file)
      }
      if (wait === undefined) throw locked(file)
      await setTimeout(wait)
    }
  }

  private connection(mode: Mode): Promise<Connection> {
    const known = this.connections.get(mode)
    if (known !== undefined) return known
    const opened = import('libsql').then(
      ({ default: Database }) => new Connection(new Database(':memory:'), mode),
    )
    this.connections.set(mode, opened)
    return opened
  }
}

/** One look at one database; see `SqliteFiles.read`. */
export function readSqlite<T>(file: string, use: (snapshot: SqliteSnapshot) => T): Promise<T> {
  return new SqliteFiles().read(file, use)
}

type Mode = 'still' | 'logged' | 'copied'

type Driver = {
  prepare(sql: string): { all(...values: unknown[]): unknown[] }
  exec(sql: string): unknown
}

class Connection {
  private readonly driver: Driver
  private readonly statements = new Map<string, ReturnType<Driver['prepare']>>()

  constructor(driver: Driver, mode: Mode) {
    this.driver = driver
    if (mode === 'copied') driver.exec('PRAGMA locking_mode = EXCLUSIVE')
  }

  look<T>(name: string, use: (snapshot: SqliteSnapshot) => T): T {
    this.driver.exec(`ATTACH '${name}' AS looked_at`)
    try {
      this.driver.exec('BEGIN')
      return use(this.snapshot())
    } finally {
      this.driver.exec('ROLLBACK')
      this.driver.exec('DETACH looked_at')
    }
  }

  private snapshot(): SqliteSnapshot {
    const all = (sql: string, ...values: (string | number)[]) => {
      const statement = this.statements.get(sql) ?? this.driver.prepare(sql)
      this.statements.set(sql, statement)
      return statement.all(...values) as SqliteRow[]
    }
    const tables = new Map<string, ReadonlySet<string>>()
    const columns = (table: string) => {
      const known = tables.get(table)
      if (known !== undefined) return known
      const rows = all("SELECT CAST(name AS BLOB) AS name FROM pragma_table_info(?, 'looked_at')", table)
      const names = new Set(rows.map((row) => textOf(row.name)))
      tables.set(table, names)
      return names
    }
    const version = () => numberOf(all('PRAGMA looked_at.user_version')[0]?.user_version) ?? 0
    return { all, columns, version }
  }
}

type Sides = {
  readonly main: BigIntStats
  /** null: absent or empty. */
  readonly log: BigIntStats | null
  readonly journal: BigIntStats | null
  readonly hasIndex: boolean
}

function sidesOf(file: string): Sides {
  try {
    const main = statSync(file, { bigint: true })
    if (!main.isFile()) {
      throw new SourceProblem('not-regular', file, `${file} is ${kindOf(main)}, not a database file.`)
    }
    return {
      main,
      log: filled(`${file}-wal`),
      journal: filled(`${file}-journal`),
      hasIndex: filled(`${file}-shm`) !== null,
    }
  } catch (error) {
    throw asSourceProblem(error, file)
  }
}

/** Changes whenever somebody writes to the database or its log. */
export function sqliteStamp(file: string): string {
  const { main, log, journal } = sidesOf(file)
  return [main, log, journal].map(stampOf).join(' ')
}

function stampOf(stat: BigIntStats | null): string {
  return stat === null ? '-' : `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs}`
}

function filled(file: string): BigIntStats | null {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stat === undefined || stat.size === 0n ? null : stat
}

function modeOf({ log, journal, hasIndex }: Sides): Mode {
  if (journal !== null) return 'logged'
  if (log === null) return 'still'
  return hasIndex ? 'logged' : 'copied'
}

/** Nobody wrote between two moments. */
function same(a: Sides, b: Sides): boolean {
  return (
    stampOf(a.main) === stampOf(b.main) &&
    stampOf(a.log) === stampOf(b.log) &&
    stampOf(a.journal) === stampOf(b.journal) &&
    a.hasIndex === b.hasIndex
  )
}

const WINDOWS = path.sep === '\\'

/** The name as an URI: `?`, `#` and `%` in a path would else begin something of their own. */
function nameOf(file: string, mode: Mode): string {
  const parts = file.split(path.sep).map((part, i) => {
    if (WINDOWS && i === 0) return `/${part}`
    return encodeURIComponent(part).replaceAll("'", '%27')
  })
  const how = {
    still: 'immutable=1',
    logged: 'readonly_shm=1',
    copied: `vfs=${WINDOWS ? 'win32' : 'unix'}-none`,
  }
  return `file:${parts.join('/')}?mode=ro&${how[mode]}`
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
    return new SourceProblem(
      'unreadable',
      file,
      `${file} is not an SQLite database, or its beginning was overwritten. If it should be one, run "openclaw doctor", or restore it from a backup.`,
      { cause: error },
    )
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
