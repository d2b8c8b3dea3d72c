import { LocalConnection } from './local-connection'
import type { WriteGate } from './write-gate'

/**
 * A connection for bulk writes.
 * @param gate for threads that write into the same database in turns; a `LogKeeper` must then see to its log
 */
export function openBulkWriter(databaseFile: string, gate: WriteGate | null): LocalConnection {
  const connection = new LocalConnection(databaseFile, gate)
  // A page that is written to several times in a row should reach the file once.
  connection.script(`PRAGMA wal_autocheckpoint = ${gate === null ? 8000 : 0}`)
  return connection
}
