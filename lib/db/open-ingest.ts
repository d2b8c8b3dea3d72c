import type { OwnPrices } from '../core/tokens/own-prices'
import { IngestRows } from './commands/ingest'
import type { Connection } from './connection'
import type { Search } from './search'
import { openBulkWriter } from './sqlite/bulk-writer'
import { LocalConnection } from './sqlite/local-connection'
import { SearchIndex } from './sqlite/search-index'

export type OpenIngest = {
  readonly ingest: IngestRows
  readonly connection: Connection
  readonly search: Search | null
  close(): void
}

/** The file of the full-text index that belongs to a database file. */
export function searchPath(databaseFile: string): string {
  return databaseFile === ':memory:' ? ':memory:' : `${databaseFile.replace(/\.db$/, '')}-search.db`
}

/** Opens the full-text index that belongs to a database file. */
export function openSearch(databaseFile: string): Search {
  return new SearchIndex(new LocalConnection(searchPath(databaseFile)))
}

/**
 * Separate connections to a migrated database and its full-text index, for an import.
 * @param withSearch false leaves the index out, as a measurement does
 * @param prices the operator's own
 */
export function openIngest(databaseFile: string, withSearch: boolean, prices: OwnPrices): OpenIngest {
  const connection = openBulkWriter(databaseFile, null)
  const search = withSearch ? openSearch(databaseFile) : null
  return {
    ingest: new IngestRows(connection, search, prices),
    connection,
    search,
    close: () => {
      connection.close()
      search?.close()
    },
  }
}
