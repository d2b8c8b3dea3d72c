import type { SqlValue } from '../sql-value'
import type { DriverFile, DriverStatement } from './sqlite-driver'

/** What is used of `node:sqlite`; the types of our oldest Node do not have it yet. */
type NodeDatabase = {
  readonly isOpen: boolean
  readonly isTransaction: boolean
  exec(sql: string): void
  prepare(sql: string): NodeStatement
  close(): void
}
type NodeStatement = {
  columns(): { readonly name: string; readonly type: string | null }[]
  setReturnArrays(on: boolean): void
  all(...args: readonly SqlValue[]): unknown[]
  run(...args: readonly SqlValue[]): { readonly changes: number | bigint }
}
export type NodeSqlite = {
  readonly DatabaseSync: new (path: string) => NodeDatabase
  readonly StatementSync: { readonly prototype: Partial<NodeStatement> }
}

/** Names of the errors that somebody asks for, by their numbers. */
const CODES: { readonly [primary: number]: string } = {
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  26: 'SQLITE_NOTADB',
}

/** Whether this Node's SQLite has all that is used here; it grew from 22.5 to 22.16. */
export function isWholeSqlite(module: NodeSqlite): boolean {
  return typeof module.StatementSync.prototype.setReturnArrays === 'function'
}

/** Opens a file with the SQLite that is part of Node. */
export function openNodeFile(module: NodeSqlite, path: string): DriverFile {
  const database = named(() => new module.DatabaseSync(path))
  return {
    get open() {
      return database.isOpen
    },
    get inTransaction() {
      return database.isOpen && database.isTransaction
    },
    exec: (sql) => named(() => database.exec(sql)),
    prepare: (sql) => statementOf(named(() => database.prepare(sql))),
    close: () => database.close(),
  }
}

function statementOf(statement: NodeStatement): DriverStatement {
  const prepared: DriverStatement = {
    reader: statement.columns().length > 0,
    raw: (on) => {
      statement.setReturnArrays(on)
      return prepared
    },
    columns: () => statement.columns(),
    all: (args) => named(() => statement.all(...args)),
    run: (args) => ({ changes: Number(named(() => statement.run(...args)).changes) }),
  }
  return prepared
}

/** Errors get SQLite's name as their `code`: Node gives all of them one code, and the number beside it. */
function named<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && typeof error.errcode === 'number') {
      const code = CODES[error.errcode & 0xff]
      if (code !== undefined) Object.assign(error, { code })
    }
    throw error
  }
}
