import 'server-only'
import { databasePath } from '../../db/database-url'
import { openSearch } from '../../db/open-ingest'
import type { Search } from '../../db/search'
import { getDatabase } from '../process/database'

// One connection per process, however many copies of this module the bundler makes.
const HOLDER = Symbol.for('plimsoll.search-index')

/** The full-text index that belongs to the database. */
export async function getSearchIndex(): Promise<Search> {
  const { url } = await getDatabase()
  const holder = globalThis as { [HOLDER]?: Map<string, Search> }
  holder[HOLDER] ??= new Map()
  const open = holder[HOLDER].get(url)
  if (open) return open
  const index = openSearch(databasePath(url))
  holder[HOLDER].set(url, index)
  return index
}
