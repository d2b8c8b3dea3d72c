import type { Connection, SqlResult } from '../connection'
import type { SqlValue } from '../sql-value'
import { explainDamage } from './damaged-file'
import { keepPrivate } from './private-file'
import type { DriverFile, DriverStatement, OpenDriverFile } from './sqlite-driver'
import type { WriteGate } from './write-gate'

type Prepared = {
  readonly statement: DriverStatement
  readonly reader: boolean
  readonly columns: readonly string[]
  readonly columnTypes: readonly string[]
}

const STATEMENTS_KEPT = 200

/**
 * One connection to an SQLite file, shared by Prisma and by the bulk writer of the same process. All calls are
 * synchronous, so two users can only meet at an open asynchronous transaction: `takeTurn()` waits for its end.
 * Prepared statements are kept, and every connection gets the same settings before its first statement.
 */
export class SqliteConnection implements Connection {
  readonly #file: DriverFile
  readonly #path: string
  readonly #prepared = new Map<string, Prepared>()
  readonly #gate: WriteGate | null
  #turn: Promise<void> = Promise.resolve()

  /**
   * @param open the driver
   * @param path file name, `:memory:`, or an SQLite URI (`file:…?mode=ro`)
   * @param gate for threads that write into one file in turns
   */
  constructor(open: OpenDriverFile, path: string, gate: WriteGate | null = null) {
    this.#gate = gate
    this.#path = path
    keepPrivate(path)
    this.#file = open(path)
    try {
      // First of all: the statements after it may already meet the lock of another process.
      this.script('PRAGMA busy_timeout = 5000')
      this.script('PRAGMA journal_mode = WAL')
      this.script('PRAGMA synchronous = NORMAL')
      this.script('PRAGMA foreign_keys = ON')
      this.script('PRAGMA temp_store = MEMORY')
      this.script('PRAGMA cache_size = -32768')
      // Once more: behind a link that led nowhere SQLite has made it.
      keepPrivate(path)
    } catch (error) {
      this.#file.close()
      throw error
    }
  }

  get open(): boolean {
    return this.#file.open
  }

  get inTransaction(): boolean {
    return this.#file.inTransaction
  }

  /** @throws DamagedFileError or FullDiskError, as all others here do, when the file or its disk is to blame */
  run(sql: string, args: readonly SqlValue[] = []): SqlResult {
    const prepared = this.#prepare(sql)
    try {
      if (prepared.reader) {
        const rows = prepared.statement.all(args) as SqlValue[][]
        return { columns: prepared.columns, columnTypes: prepared.columnTypes, rows, rowsAffected: 0 }
      }
      const { changes } = prepared.statement.run(args)
      return { columns: [], columnTypes: [], rows: [], rowsAffected: changes }
    } catch (error) {
      throw explainDamage(error, this.#path)
    }
  }

  /** A statement that is run many times. */
  statement(sql: string): (args: readonly SqlValue[]) => void {
    const { statement } = this.#prepare(sql)
    return (args) => {
      try {
        statement.run(args)
      } catch (error) {
        throw explainDamage(error, this.#path)
      }
    }
  }

  /** Runs several statements separated by semicolons. */
  script(sql: string): void {
    try {
      this.#file.exec(sql)
    } catch (error) {
      throw explainDamage(error, this.#path)
    }
  }

  /**
   * Runs `work` in one write transaction. It takes the write lock at the start, so it cannot fail half-way because
   * another process wrote in between. Nothing asynchronous may happen inside.
   */
  async write<T>(work: () => T): Promise<T> {
    const release = await this.takeTurn()
    this.#gate?.enter()
    try {
      this.script('BEGIN IMMEDIATE')
      const result = work()
      this.script('COMMIT')
      return result
    } finally {
      if (this.inTransaction) this.script('ROLLBACK')
      this.#gate?.leave()
      release()
    }
  }

  /** Waits until no other transaction is open on this connection; the caller must call the answer when done. */
  async takeTurn(): Promise<() => void> {
    const before = this.#turn
    let release: () => void = () => undefined
    this.#turn = new Promise((resolve) => {
      release = resolve
    })
    await before
    return release
  }

  close(): void {
    this.#prepared.clear()
    this.#file.close()
  }

  #compile(sql: string): DriverStatement {
    try {
      return this.#file.prepare(sql)
    } catch (error) {
      throw explainDamage(error, this.#path)
    }
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql)
    if (known) return known
    const statement = this.#compile(sql)
    const reader = statement.reader
    const described = reader ? statement.raw(true).columns() : []
    const prepared: Prepared = {
      statement,
      reader,
      columns: described.map((column) => column.name),
      columnTypes: described.map((column) => column.type ?? ''),
    }
    if (this.#prepared.size >= STATEMENTS_KEPT) {
      const oldest = this.#prepared.keys().next()
      if (!oldest.done) this.#prepared.delete(oldest.value)
    }
    this.#prepared.set(sql, prepared)
    return prepared
  }
}
