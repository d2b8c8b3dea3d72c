import 'server-only'
import { entriesBySeq, findPreviews } from '../../db/queries/session-entries'
import type { FindResult } from '../../view/session/find-result'
import { makeSnippet, searchTerms, snippetStart } from '../../view/text/snippet'
import { getDatabase } from '../process/database'
import { getSearchIndex } from '../session-list/search-index'
import { getSession } from './session-record'

/** Hits listed at most; the first of them come with their surroundings. */
const MAX_HITS = 2_000
const MAX_SNIPPETS = 200
/** With so many hits by words, what is inside of words is not looked for: it means reading every preview. */
const ENOUGH_HITS = 500

/**
 * Entries of a session in which the words occur, in the order of the file: by the full-text index, and by their
 * previews, which also hold what is inside of words. Null when there is no such session.
 */
export async function findInSession(id: string, q: string): Promise<FindResult | null> {
  const session = await getSession(id)
  if (!session) return null
  const terms = searchTerms(q)
  if (q.trim() === '') return { q, hits: [], total: 0, cut: false }
  const database = await getDatabase()
  const indexed = (await getSearchIndex()).find(q, MAX_HITS, session.row).map((hit) => hit.seq)
  const literal = indexed.length >= ENOUGH_HITS ? [] : findPreviews(database, session.row, q.trim(), MAX_HITS)
  const all = [...new Set([...indexed, ...literal])].sort((a, b) => a - b)
  const seqs = all.slice(0, MAX_HITS)
  const lines = entriesBySeq(database, session.row, seqs.slice(0, MAX_SNIPPETS))
  return {
    q,
    total: all.length,
    cut: indexed.length === MAX_HITS || all.length > MAX_HITS,
    hits: seqs.map((seq) => {
      const preview = lines.get(seq)?.preview
      if (preview == null) return { seq, parts: [] }
      return { seq, parts: makeSnippet(preview, terms) ?? snippetStart(preview) }
    }),
  }
}
