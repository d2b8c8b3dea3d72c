import 'server-only'
import { maskSecrets } from '../../core/redaction/secrets'
import type { EntryFact } from '../../core/transcript/entry'
import { readLine } from '../../core/transcript/reading/read-line'
import type { Database } from '../../db/client'
import { readFoundEntries } from '../../db/queries/found-entries'
import { readSessionDetail } from '../../db/queries/session-detail'
import { SourceProblem } from '../../engine/read/source-problem'
import type { SessionListRow } from '../../view/session-list/session-list'
import { makeSnippet, type SearchTerms, searchTerms, snippetStart } from '../../view/text/snippet'
import { readEntryText } from '../session/entry-source'

type Found = SessionListRow['found']
type Place = {
  readonly id: string
  readonly row: number
  readonly seq: number | null
  readonly entries: number
}

/** Transcripts opened for one window of a search, for hits beyond the first words of their entry. */
const SOURCES_OPENED = 40

/** Longer lines are not opened for the sake of a snippet. Bytes. */
const LONGEST_LINE = 200_000

/**
 * What is around the words searched for, one answer per place: the surroundings of the first hit, the beginning of
 * the entry when the hit cannot be shown, or null when only the session's name matched.
 */
export async function readSnippets(
  database: Database,
  { q, places }: { readonly q: string; readonly places: readonly Place[] },
): Promise<readonly Found[]> {
  const terms = searchTerms(q)
  const entries = readFoundEntries(
    database,
    places.filter((place): place is Place & { seq: number } => place.seq !== null),
  )
  let opened = 0
  const found: Found[] = []
  for (const { id, row, seq, entries: count } of places) {
    const fact = entries.get(row)
    if (seq === null || fact === undefined) {
      found.push(null)
      continue
    }
    const preview = maskSecrets(fact.preview ?? '')
    let parts = makeSnippet(preview, terms)
    if (parts === null && opened < SOURCES_OPENED && fact.bytes <= LONGEST_LINE) {
      opened += 1
      parts = await snippetFromSource(database, id, fact, terms)
    }
    found.push({ seq, parts: parts ?? snippetStart(preview), entries: count })
  }
  return found
}

/** The same from the entry's own text; null when its source cannot be read now. */
async function snippetFromSource(
  database: Database,
  id: string,
  fact: EntryFact,
  terms: SearchTerms,
): Promise<ReturnType<typeof makeSnippet>> {
  const session = readSessionDetail(database, id)
  if (session === null) return null
  try {
    const raw = await readEntryText(session, fact)
    // Nothing is measured here: only the text is wanted.
    return makeSnippet(maskSecrets(readLine(raw, fact, () => 0).searchText), terms)
  } catch (error) {
    if (error instanceof SourceProblem) return null
    throw error
  }
}
