import 'server-only'
import { searchPath } from '../db/commands/open-ingest'
import { databasePath } from '../db/database-url'
import { LocalConnection } from '../db/local-connection'
import { SearchIndex } from '../db/search'
import { getDatabase } from './database'

// One connection per process, however many copies of this module the bundler makes.
const HOLDER = Symbol.for('plimsoll.search-index')

/** The full-text index that belongs to the database. */
export async function getSearchIndex(): Promise<SearchIndex> {
  const { url } = await getDatabase()
  const holder = globalThis as { [HOLDER]?: Map<string, SearchIndex> }
  holder[HOLDER] ??= new Map()
  const open = holder[HOLDER].get(url)
  if (open) return open
  const index = new SearchIndex(new LocalConnection(searchPath(databasePath(url))))
  holder[HOLDER].set(url, index)
  return index
}
