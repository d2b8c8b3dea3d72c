import { LocalConnection } from '../local-connection'
import { SearchIndex } from '../search'
import type { WriteGate } from '../write-gate'
import { SqliteIngest } from './ingest'

/** Shared by threads that import into one database. */
export type IngestGates = { readonly database: WriteGate; readonly search: WriteGate }

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
export function openIngest(
  databaseFile: string,
  withSearch: boolean,
  gates: IngestGates | null = null,
): OpenIngest {
  const connection = new LocalConnection(databaseFile, gates?.database ?? null)
  const search = withSearch
    ? new SearchIndex(new LocalConnection(searchPath(databaseFile), gates?.search ?? null))
    : null
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
