import type { SqlValue } from '../sql-value'

/** A prepared statement of a driver. Integers are numbers, a blob is bytes. */
export type DriverStatement = {
  /** Whether it answers with rows. */
  readonly reader: boolean
  /** Rows as arrays instead of objects, from now on. */
  raw(on: true): DriverStatement
  /** `type` is the declared one; null for expressions. */
  columns(): readonly { readonly name: string; readonly type: string | null }[]
  all(args: readonly SqlValue[]): readonly unknown[]
  run(args: readonly SqlValue[]): { readonly changes: number }
}

/**
 * An open SQLite file, as far as a driver's own interface is used here. What it throws has SQLite's name of the error as
 * `code`, such as `SQLITE_BUSY`.
 */
export type DriverFile = {
  readonly open: boolean
  readonly inTransaction: boolean
  /** Runs statements separated by semicolons. */
  exec(sql: string): unknown
  prepare(sql: string): DriverStatement
  close(): unknown
}

/** Opens a file by its name, `:memory:`, or an SQLite URI (`file:…?mode=ro`). */
export type OpenDriverFile = (path: string) => DriverFile
