import 'server-only'
import { findSessionsByName } from '../../db/queries/session-names'
import { searchTerms } from '../../view/text/snippet'
import { getDatabase } from '../process/database'
import { getSearchIndex } from './search-index'

/**
 * A session that a search found, the entry where it was found (null when only its name matched), and in how many of its
 * entries, as far as they were looked at.
 */
export type FoundSession = { readonly row: number; readonly seq: number | null; readonly entries: number }

/** Sessions listed at most for one search, and entries looked at for them. */
const MAX_FOUND = 500
const MAX_HITS = 5_000

/**
 * Sessions whose names or entries hold what was searched for: names first, then the best entry of each session.
 * `cut` says that there are more than are answered.
 */
export async function searchSessions(
  q: string,
): Promise<{ readonly found: readonly FoundSession[]; readonly cut: boolean }> {
  const database = await getDatabase()
  const byName = await findSessionsByName(database, {
    words: [...searchTerms(q).words],
    limit: MAX_FOUND,
  })
  const hits = (await getSearchIndex()).find(q, MAX_HITS)
  const best = new Map<number, number>()
  const entries = new Map<number, number>()
  for (const { sessionRow, seq } of hits) {
    if (!best.has(sessionRow)) best.set(sessionRow, seq)
    entries.set(sessionRow, (entries.get(sessionRow) ?? 0) + 1)
  }
  const rows = [...new Set([...byName, ...best.keys()])]
  return {
    found: rows
      .slice(0, MAX_FOUND)
      .map((row) => ({ row, seq: best.get(row) ?? null, entries: entries.get(row) ?? 0 })),
    cut: rows.length > MAX_FOUND || hits.length === MAX_HITS,
  }
}
