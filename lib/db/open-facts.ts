import type { FactMirror } from '../engine/knowledge/fact-store'
import { type FactRowsOptions, factRows } from './commands/facts'
import { openMigrated } from './open-connection'

/** Facts of a database that was opened, or why it was not. */
export type OpenedFacts =
  | { readonly ok: true; readonly facts: FactMirror; readonly close: () => void }
  | { readonly ok: false; readonly message: string }

/** Opens the facts of a database alone, for a process that needs nothing else of it. */
export function openFacts(file: string, migrations: string, options: FactRowsOptions = {}): OpenedFacts {
  const opened = openMigrated(file, migrations)
  if (!opened.ok) return { ok: false, message: opened.message }
  const { connection } = opened
  return { ok: true, facts: factRows(connection, options), close: () => connection.close() }
}
