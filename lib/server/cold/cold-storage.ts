import 'server-only'
import { maskSecrets } from '../../core/redaction/secrets'
import { readFoundEntries } from '../../db/queries/found-entries'
import { findArchivedSessions, findSessionNames } from '../../db/queries/transcripts-of'
import { joinSearches } from '../../engine/cold/cold-places'
import { ANY_CHUNK, type ColdFilter } from '../../engine/cold/search-cold'
import {
  type ArchiveRow,
  COLD_PAGE_ROWS,
  type ColdParams,
  type ColdRow,
  type ColdView,
  coldRow,
  coldSnippet,
  problemWord,
} from '../../view/cold/cold-storage'
import { sessionTitle } from '../../view/session/session-title'
import { shownText } from '../../view/text/shown-text'
import { getDatabase } from '../process/database'
import { readEntryText } from '../session/entry-source'
import { getSession } from '../session/session-record'
import { getSearchIndex } from '../session-list/search-index'
import { type ColdFolder, getColdFolders, refreshSoon } from './cold-library'

/** Entries of archives that are shown. */
const ARCHIVE_ROWS = 20
/** With more archives than this, hits of all sessions are searched instead of each archive. */
const MOST_ARCHIVES = 300
const MOST_HITS = 20_000
const DAY = 86_400_000

/** One page of cold storage, with what lies there in all. */
export async function getColdStorage(params: ColdParams): Promise<ColdView> {
  const folders = await getColdFolders()
  await refreshSoon(folders)
  const { found, matching, words } = searchFolders(folders, params)
  const chunks = found.map(({ chunk }) => chunk)
  const sessions = await findSessionNames(await getDatabase(), [
    ...new Set(chunks.map(({ sessionId }) => sessionId)),
  ])
  const now = Date.now()
  const rows = chunks.map((chunk): ColdRow => {
    return coldRow(chunk, params.q, now, sessions.get(chunk.sessionId) ?? null)
  })
  return {
    places: folders.map(({ store, index }) => ({
      path: store.root,
      kind: 'cold storage',
      found: index !== null,
      why: 'coldStorage.path of your settings',
      problem: null,
    })),
    ...countsOf(folders),
    rows: rows.slice(0, COLD_PAGE_ROWS),
    total: words === null ? matching : null,
    hasMore: rows.length > COLD_PAGE_ROWS,
    archives: params.q.trim() === '' ? null : await searchArchived(params.q),
  }
}

/** With several folders, the best of each; one row more than a page tells that there are more. */
function searchFolders(folders: readonly ColdFolder[], params: ColdParams) {
  const filter = filterOf(params)
  const words = params.q.trim() === '' ? null : params.q
  const skip = (params.page - 1) * COLD_PAGE_ROWS
  const searches = folders.flatMap(({ index }) =>
    index === null ? [] : [index.cold.searchNow(words, filter, skip + COLD_PAGE_ROWS + 1)],
  )
  const { found, matching } = joinSearches(searches, skip + COLD_PAGE_ROWS + 1)
  return { found: found.slice(skip), matching, words }
}

function filterOf({ session, reason, min, max, since, until, expired }: ColdParams): ColdFilter {
  return {
    ...ANY_CHUNK,
    session: session === '' ? null : session,
    reason: reason === '' ? null : reason,
    minScore: min === '' ? null : Number(min),
    maxScore: max === '' ? null : Number(max),
    since: since === '' ? null : Date.parse(since),
    until: until === '' ? null : Date.parse(until) + DAY - 1,
    expired: expired === 'only' ? 'only' : expired === 'with',
  }
}

function countsOf(
  folders: readonly ColdFolder[],
): Pick<ColdView, 'chunks' | 'expired' | 'problems' | 'reasons' | 'progress'> {
  const indexes = folders.flatMap(({ index }) => (index === null ? [] : [index.cold]))
  const counts = indexes.map((cold) => cold.counts())
  const examples = indexes.flatMap((cold) => cold.searchNow(null, ANY_CHUNK, 0).problems)
  const kinds = new Map<string, number>()
  for (const { kind, count } of counts.flatMap(({ problems }) => problems))
    kinds.set(kind, (kinds.get(kind) ?? 0) + count)
  const reasons = new Map<string, number>()
  for (const { name, count } of counts.flatMap((one) => one.reasons))
    if (name !== null) reasons.set(name, (reasons.get(name) ?? 0) + count)
  const progresses = indexes.flatMap(({ progress }) => progress ?? [])
  return {
    chunks: counts.reduce((sum, one) => sum + one.chunks, 0),
    expired: counts.reduce((sum, one) => sum + one.expired, 0),
    problems: [...kinds].map(([kind, count]) => {
      const example = examples.find((problem) => problem.kind === kind)
      return {
        what: problemWord(kind),
        count,
        example: example === undefined ? null : shownText(`${example.file}:${example.line}: ${example.why}`),
      }
    }),
    // What holds a credential can be seen among all, but not asked for by its name.
    reasons: [...reasons].map(([name, count]) => ({ name: maskSecrets(name), count })),
    progress:
      progresses.length === 0
        ? null
        : {
            read: progresses.reduce((sum, { read }) => sum + read, 0),
            of: progresses.reduce((sum, one) => sum + one.of, 0),
          },
  }
}

/** Looks for words in what runtimes have archived, of every era; read-only. */
async function searchArchived(words: string): Promise<NonNullable<ColdView['archives']>> {
  const database = await getDatabase()
  const archives = new Map((await findArchivedSessions(database)).map((one) => [one.row, one]))
  const index = await getSearchIndex()
  const hits =
    archives.size > MOST_ARCHIVES
      ? index.find(words, MOST_HITS).filter(({ sessionRow }) => archives.has(sessionRow))
      : [...archives.keys()].flatMap((row) => index.find(words, ARCHIVE_ROWS, row))
  const best = hits.toSorted((a, b) => a.rank - b.rank).slice(0, ARCHIVE_ROWS)
  const rows: ArchiveRow[] = []
  for (const { sessionRow, seq } of best) {
    const archive = archives.get(sessionRow)
    const fact = readFoundEntries(database, [{ row: sessionRow, seq }]).get(sessionRow)
    const session = archive === undefined ? null : await getSession(archive.id)
    if (archive === undefined || fact === undefined || session === null) continue
    // An archive that has gone meanwhile is still found; then its preview has to do.
    const text = await readEntryText(session, fact).catch(() => fact.preview ?? '')
    rows.push({
      key: `${sessionRow} ${seq}`,
      title: sessionTitle(archive),
      state: archive.path.endsWith('.zst') ? 'archived' : archive.state,
      href: `/sessions/${archive.id}/transcript?entry=${seq}`,
      at: fact.at,
      snippet: coldSnippet(plainText(text), words),
    })
  }
  return { rows, transcripts: archives.size }
}

/** The texts of an entry without the braces and quotes of JSON around them. */
function plainText(raw: string): string {
  try {
    const texts: string[] = []
    JSON.stringify(JSON.parse(raw), (name, value: unknown) => {
      if (typeof value === 'string' && (name === 'text' || name === 'content' || name === 'summary'))
        texts.push(value)
      return value
    })
    return texts.length === 0 ? raw : texts.join(' ')
  } catch {
    return raw
  }
}
