import type { SqlValue } from './sql-value'

/** What a statement answered; rows are arrays in the order of `columns`. `rows.ts` makes checked objects of them. */
export type SqlResult = {
  readonly columns: readonly string[]
  /** Declared type of each column, '' for expressions. */
  readonly columnTypes: readonly string[]
  readonly rows: readonly (readonly SqlValue[])[]
  /** Rows that a statement without an answer wrote. */
  readonly rowsAffected: number
}

/** A connection to a database of ours, as queries and commands see it. What an engine needs beyond it stays in its folder. */
export interface Connection {
  readonly open: boolean

  /** One statement with a `?` (or `?1`) for each argument. What an engine throws says which file is to blame. */
  run(sql: string, args?: readonly SqlValue[]): SqlResult

  /** A statement that is run many times. */
  statement(sql: string): (args: readonly SqlValue[]) => void

  /**
   * Runs `work` in one write transaction, which is taken back when `work` throws. Nothing asynchronous may happen inside.
   */
  write<T>(work: () => T): Promise<T>

  close(): void
}
