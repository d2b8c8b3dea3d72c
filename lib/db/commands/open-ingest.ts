import { LocalConnection } from '../local-connection'
import { SearchIndex } from '../search'
import type { WriteGate } from '../write-gate'
import { SqliteIngest } from './ingest'

export type OpenIngest = {
  readonly ingest: SqliteIngest
  readonly connection: LocalConnection
  readonly search: SearchIndex | null
  close(): void
}

/** The file of the full-text index that belongs to a database file. */
export function searchPath(databaseFile: string): string {
  return databaseFile === ':memory:' ? ':memory:' : `${databaseFile.replace(/\.db$/, '')}-search.db`
}

/**
 * Connections of its own to a migrated database and its full-text index, for an import.
 * @param withSearch false leaves the index out, as a measurement does
 */
export function openIngest(databaseFile: string, withSearch: boolean): OpenIngest {
  const connection = openWriter(databaseFile, null)
  const search = withSearch ? new SearchIndex(new LocalConnection(searchPath(databaseFile))) : null
  return {
    ingest: new SqliteIngest(connection, search),
    connection,
    search,
    close: () => {
      connection.close()
      search?.close()
    },
  }
}

/**
 * A connection for bulk writes.
 * @param gate for threads that write into the same database in turns; a `LogKeeper` must then see to its log
 */
export function openWriter(databaseFile: string, gate: WriteGate | null): LocalConnection {
  const connection = new LocalConnection(databaseFile, gate)
  // A page that is written to several times in a row should reach the file once.
  connection.script(`PRAGMA wal_autocheckpoint = ${gate === null ? 8000 : 0}`)
  return connection
}
