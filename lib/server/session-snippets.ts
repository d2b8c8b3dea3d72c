import 'server-only'
import { readPreviews } from '../db/queries/entry-previews'
import type { SessionListRow } from '../view/session-list'
import { makeSnippet, searchTerms, snippetStart } from '../view/snippet'
import { getDatabase } from './database'

/**
 * What stands around the words searched for, one answer per place: the surroundings of the first hit, the beginning of
 * the entry when the hit stands further on, or null when only the session's name matched.
 */
export async function readSnippets({
  q,
  places,
}: {
  readonly q: string
  readonly places: readonly { readonly row: number; readonly seq: number | null }[]
}): Promise<readonly SessionListRow['found'][]> {
  const terms = searchTerms(q)
  const wanted = places.filter((place): place is { row: number; seq: number } => place.seq !== null)
  const previews = await readPreviews(await getDatabase(), wanted)
  return places.map(({ row, seq }) => {
    if (seq === null) return null
    const text = previews.get(row) ?? ''
    return { seq, parts: makeSnippet(text, terms) ?? snippetStart(text) }
  })
}
