import type { FactMirror } from '../engine/fact-store'
import { type FactRowsOptions, factRows } from './commands/facts'
import { LocalConnection } from './local-connection'
import { migrate, readMigrations } from './migrate'

export type OpenedFacts =
  | { readonly ok: true; readonly facts: FactMirror; readonly close: () => void }
  | { readonly ok: false; readonly message: string }

/** Opens the facts of a database by themselves, for a process that needs nothing else of it. */
export function openFacts(file: string, migrations: string, options: FactRowsOptions = {}): OpenedFacts {
  const connection = new LocalConnection(file)
  const migrated = migrate(connection, readMigrations(migrations))
  if (migrated.ok) return { ok: true, facts: factRows(connection, options), close: () => connection.close() }
  connection.close()
  return { ok: false, message: migrated.message }
}
