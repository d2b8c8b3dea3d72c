import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import type { Connection } from '../connection'
import { rowsOf } from '../rows'
import type { Search } from '../search'

const VERSION_KEY = 'content-version'
const TOKEN_KEY = 'search-token'

const META = z.object({ key: z.string(), value: z.string() })

/**
 * Makes the next import start over, session by session, when what it would write is not what is there: after an update
 * that reads or measures differently, or when the full-text index is not the one that belongs to this database.
 * Rows stay until they are replaced. Answers whether anything has to be read again.
 */
export async function prepareContent(
  connection: Connection,
  search: Search | null,
  version: string,
): Promise<boolean> {
  const rows = rowsOf(META, connection.run('SELECT "key", "value" FROM "Meta"'))
  const meta = new Map(rows.map(({ key, value }) => [key, value]))
  const token = meta.get(TOKEN_KEY) ?? null
  const sameSearch = search === null || (token !== null && search.token === token)
  if (meta.get(VERSION_KEY) === version && sameSearch) return false
  const fresh = randomUUID()
  // The database first: killed after it, the tokens differ, and the next start comes here again.
  await connection.write(() => {
    const set = (key: string, value: string) =>
      connection.run('INSERT OR REPLACE INTO "Meta" VALUES (?, ?)', [key, value])
    set(VERSION_KEY, version)
    set(TOKEN_KEY, fresh)
    connection.run('UPDATE "Session" SET "stamp" = NULL, "foldJson" = NULL')
    connection.run('UPDATE "Store" SET "glance" = NULL')
  })
  await search?.reset(fresh)
  return true
}
