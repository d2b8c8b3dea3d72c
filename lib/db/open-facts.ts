import { reasonOf } from '../core/words/reason-of'
import type { FactMirror } from '../engine/knowledge/fact-store'
import { type FactRowsOptions, factRows } from './commands/facts'
import { findDriver } from './sqlite/find-driver'
import { migrate, readMigrations } from './sqlite/migrate'
import { SqliteConnection } from './sqlite/sqlite-connection'

/** Facts of a database that was opened, or why it was not. */
export type OpenedFacts =
  | { readonly ok: true; readonly facts: FactMirror; readonly close: () => void }
  | { readonly ok: false; readonly message: string }

/**
 * Opens the facts of a database alone, for a process that needs nothing else of it. What is there of SQLite opens it, see
 * `findDriver`.
 */
export function openFacts(file: string, migrations: string, options: FactRowsOptions = {}): OpenedFacts {
  let connection: SqliteConnection
  try {
    connection = new SqliteConnection(findDriver(), file)
  } catch (error) {
    return { ok: false, message: reasonOf(error) }
  }
  const migrated = migrate(connection, readMigrations(migrations))
  if (migrated.ok) return { ok: true, facts: factRows(connection, options), close: () => connection.close() }
  connection.close()
  return { ok: false, message: migrated.message }
}
