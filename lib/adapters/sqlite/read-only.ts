import { type BigIntStats, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { reasonOf } from '../../core/words/reason-of'
import { SourceProblem } from '../../engine/read/source-problem'
import { asSourceProblem, errorCode, kindOf } from '../files/regular-file'
import {
  ProcessLostError,
  type Question,
  QuestionError,
  type SqliteRow,
  type SqliteValue,
} from './driver-process'
import { givenUp, giveUp } from './given-up'
import { keeperOf } from './keeper'
import { laneOf } from './lanes'
import { holdsCommit } from './log-commits'
import { indexFits } from './shared-index'

export type { SqliteRow, SqliteValue } from './driver-process'

/** One moment of a database, for queries only. */
export interface SqliteSnapshot {
  /** @throws QuestionError, ProcessLostError */
  all(sql: string, ...values: (string | number)[]): Promise<SqliteRow[]>
  /**
   * Names of a table's columns; empty when there is no such table.
   * @throws SourceProblem when what has the name is not a table with stored columns: it would be worked out for us by
   *   whatever the database holds
   */
  columns(table: string): Promise<ReadonlySet<string>>
  /** `PRAGMA user_version`. */
  version(): Promise<number>
}

/** How long to wait between attempts when another process is writing. Milliseconds. */
const WAITS = [30, 80, 200, 500]

/**
 * Queries databases that other processes may be writing, without writing a byte into or beside them. The queries run in
 * their own process, one for each store: a database of others may be damaged, or made to end or block its reader. How
 * a database is opened depends on what lies beside it:
 *
 * - `still`: no write-ahead log, or one without a whole transaction and without an index of it. Opened as `immutable`:
 *   SQLite neither locks nor makes files.
 * - `logged`: a log and its index. Opened with `readonly_shm`: SQLite follows the log and leaves the index alone. A
 *   rollback journal is treated alike, because the lock tells whether its writer is alive.
 * - `copied`: a log without its index, or with one of another log, as in a copy of a store. Opened without locks and in
 *   exclusive mode, where SQLite keeps the index in memory instead of making the file.
 *
 * Without a lock nothing keeps a writer away, so for `still` and `copied` a check afterwards finds writes.
 *
 * The driver's own `readonly` option does nothing, and its connections close only when the garbage collector comes
 * by. So there is one connection to nothing, to which a database is attached for the time of one pass; a copied one
 * keeps its own (see `child.cjs`).
 */
export class SqliteFiles {
  /**
   * Runs queries that all see one state of the database. `use` may be called more than once.
   *
   * @throws SourceProblem
   */
  async read<T>(file: string, use: (snapshot: SqliteSnapshot) => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      const wait = WAITS[attempt]
      const before = sidesOf(file)
      const left = givenUp(file, stampOfSides(before))
      if (left !== null) throw left
      const mode = modeOf(file, before)
      try {
        const result = await queryOnce(file, mode, stampOfSides(before), use)
        if (mode === 'logged' || same(before, sidesOf(file))) return result
      } catch (error) {
        if (error instanceof SourceProblem) throw error
        if (isHarmful(error)) throw giveUp(file, stampOfSides(before), questionFailure(error))
        const counts = mode === 'logged' ? sameFiles : same
        if (!isBusy(error) && counts(before, sidesOf(file))) throw sqliteProblem(error, file)
      }
      if (wait === undefined) throw locked(file)
      await setTimeout(wait)
    }
  }
}

/** One pass over one database; see `SqliteFiles.read`. */
export function readSqlite<T>(file: string, use: (snapshot: SqliteSnapshot) => Promise<T>): Promise<T> {
  return new SqliteFiles().read(file, use)
}

type Mode = 'still' | 'logged' | 'copied'

function queryOnce<T>(
  file: string,
  mode: Mode,
  stamp: string,
  use: (snapshot: SqliteSnapshot) => Promise<T>,
): Promise<T> {
  return laneOf(file).run(async (process) => {
    const copy = mode === 'copied' ? `${stamp} ${file}` : null
    await process.ask({ kind: 'open', name: nameOf(file, mode), copy })
    try {
      return await use(snapshotOf(file, (question) => process.ask(question)))
    } finally {
      // What stays attached would be in the way of the next check.
      await process.ask({ kind: 'close' }).catch(() => process.end())
    }
  })
}

function snapshotOf(file: string, ask: (question: Question) => Promise<SqliteRow[]>): SqliteSnapshot {
  const tables = new Map<string, ReadonlySet<string>>()
  return {
    all: (sql, ...values) => ask({ kind: 'all', sql, values }),
    columns: async (table) => {
      const known = tables.get(table)
      if (known !== undefined) return known
      const names = columnsIn(file, table, await ask({ kind: 'table', name: table }))
      tables.set(table, names)
      return names
    },
    version: async () => {
      const [row] = await ask({ kind: 'all', sql: 'PRAGMA looked_at.user_version', values: [] })
      return numberColumn(row?.user_version) ?? 0
    },
  }
}

function columnsIn(file: string, table: string, answer: readonly SqliteRow[]): ReadonlySet<string> {
  const parts = answer.filter(({ stored }) => stored !== undefined)
  const columns = answer.filter(({ hidden }) => hidden !== undefined)
  if (parts.some(({ type }) => textColumn(type) === 'view')) throw notStored(file, `${table} in it is a view`)
  if (parts.length > 1 || parts.some(({ stored }) => stored !== 1))
    throw notStored(file, `${table} in it is no stored table`)
  if (columns.some(({ hidden }) => hidden !== 0))
    throw notStored(file, `${table} in it has columns that are not stored`)
  return new Set(columns.map(({ name }) => textColumn(name)))
}

function notStored(file: string, what: string): SourceProblem {
  return new SourceProblem(
    'unreadable',
    file,
    `${file} is not read: ${what}, and what it answers would be worked out while it is read. ${keeperOf(file).name} makes no such database; restore it from a backup.`,
  )
}

type Sides = {
  readonly main: BigIntStats
  /** null: absent or empty. */
  readonly log: BigIntStats | null
  readonly journal: BigIntStats | null
  readonly hasIndex: boolean
}

/** To SQLite a file of one byte is an empty database, too (`unixFileSize` in its `os_unix.c`). Bytes. */
const EMPTY_UP_TO = 1n

function sidesOf(file: string): Sides {
  try {
    const main = statSync(file, { bigint: true })
    if (!main.isFile()) {
      throw new SourceProblem('not-regular', file, `${file} is ${kindOf(main)}, not a database file.`)
    }
    const log = filled(`${file}-wal`)
    if (main.size <= EMPTY_UP_TO && log !== null) {
      // Some releases of SQLite remove the log of an empty database, though it is opened to be read only.
      throw new SourceProblem(
        'unreadable',
        file,
        `${file} holds nothing, but ${file}-wal beside it does: it is half of a copy. Copy the database with its log again.`,
      )
    }
    return {
      main,
      log,
      journal: filled(`${file}-journal`),
      hasIndex: filled(`${file}-shm`) !== null,
    }
  } catch (error) {
    throw asSourceProblem(error, file)
  }
}

/** Changes with every write to the database or its log. */
export function sqliteStamp(file: string): string {
  return stampOfSides(sidesOf(file))
}

function stampOfSides({ main, log, journal }: Sides): string {
  return [main, log, journal].map(stampOf).join(' ')
}

function stampOf(stat: BigIntStats | null): string {
  return stat === null ? '-' : `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs}`
}

function filled(file: string): BigIntStats | null {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stat === undefined || stat.size === 0n ? null : stat
}

function modeOf(file: string, { log, journal, hasIndex }: Sides): Mode {
  if (journal !== null) return 'logged'
  if (log === null) return 'still'
  if (hasIndex && indexFits(file, Number(log.size))) return 'logged'
  return holdsCommit(`${file}-wal`) ? 'copied' : 'still'
}

/**
 * No file came or went between two moments. The last program that closes a database takes log and index away: who was
 * about to open them finds none, which is no fault of the database.
 */
function sameFiles(a: Sides, b: Sides): boolean {
  const isOne = (one: BigIntStats | null, other: BigIntStats | null) => one?.ino === other?.ino
  return (
    isOne(a.main, b.main) && isOne(a.log, b.log) && isOne(a.journal, b.journal) && a.hasIndex === b.hasIndex
  )
}

/** Nothing was written between two moments: a page torn by a writer looks like damage. */
function same(a: Sides, b: Sides): boolean {
  return (
    stampOf(a.main) === stampOf(b.main) &&
    stampOf(a.log) === stampOf(b.log) &&
    stampOf(a.journal) === stampOf(b.journal) &&
    a.hasIndex === b.hasIndex
  )
}

const WINDOWS = path.sep === '\\'

/** The name as an URI: `?`, `#` and `%` in a path would else have a meaning there. */
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

/** What would happen again, and cost as much again. */
function isHarmful(error: unknown): boolean {
  if (error instanceof ProcessLostError) return true
  return error instanceof QuestionError && /^(TOO_MUCH|SQLITE_NOMEM|SQLITE_TOOBIG)/.test(error.code)
}

function questionFailure(error: unknown): string {
  if (error instanceof QuestionError && error.code.startsWith('SQLITE_')) {
    return 'a question about it takes more memory than any transcript'
  }
  return reasonOf(error)
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
  const message = reasonOf(error)
  if (code.startsWith('SQLITE_NOTADB')) {
    return new SourceProblem(
      'unreadable',
      file,
      `${file} is not an SQLite database, or its beginning was overwritten. If it should be one, ${keeperOf(file).mends}.`,
      { cause: error },
    )
  }
  if (code.startsWith('SQLITE_READONLY')) {
    return new SourceProblem(
      'locked',
      file,
      `${file} was left in the middle of a write. Start ${keeperOf(file).name} once: it finishes or undoes the write. Until then it is not read.`,
      { cause: error },
    )
  }
  if (code.startsWith('SQLITE_CORRUPT')) {
    return new SourceProblem(
      'unreadable',
      file,
      `${file} is damaged (${message}). To mend it, ${keeperOf(file).mends}.`,
      { cause: error },
    )
  }
  return new SourceProblem('unreadable', file, `${file} cannot be read: ${message}`, { cause: error })
}

/** A blob as UTF-8 text; '' for NULL. */
export function textColumn(value: SqliteValue | undefined): string {
  if (value instanceof ArrayBuffer) return Buffer.from(value).toString('utf8')
  return value === null || value === undefined ? '' : String(value)
}

/**
 * A number column in a query: NULL for what is no number. A column of numbers may hold any text, and on text that is
 * not UTF-8 the driver ends its process.
 */
export function numberIn(column: string): string {
  return `CASE WHEN typeof(${column}) IN ('integer', 'real') THEN ${column} END`
}

/** A number column; null for NULL and for anything else. */
export function numberColumn(value: SqliteValue | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
