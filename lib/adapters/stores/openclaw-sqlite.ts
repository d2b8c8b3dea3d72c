import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import type { ModelWindows } from '../../core/transcript/formats/openclaw-config'
import type { IndexEntry } from '../../core/transcript/session-index'
import type { FoundStore, FoundTranscript, SourceStamp } from '../../engine/read/ports'
import type { SourceProblem } from '../../engine/read/source-problem'
import { asSourceProblem } from '../files/regular-file'
import { newerSchema } from './agent-databases'
import { type FileFacts, findTranscriptFile } from './jsonl-files'
import type { CachedListing } from './listing-cache'
import type { AgentDatabase, ArchivedTranscript } from './openclaw-database'
import type { OpenClawMemory } from './openclaw-jsonl'
import { type AgentPlace, checkInside, openClawLayout } from './openclaw-layout'
import { transcriptId } from './transcript-id'

/** Separates a database from what inside it is meant: `…/openclaw-agent.sqlite#<archive>`. */
const INSIDE = '.sqlite#'

/** Splits a transcript's path; `archive` is null for the rows of a session. */
export function splitDatabasePath(target: string): { database: string; archive: string | null } {
  const at = target.lastIndexOf(INSIDE)
  if (at < 0) return { database: target, archive: null }
  return { database: target.slice(0, at + INSIDE.length - 1), archive: target.slice(at + INSIDE.length) }
}

/** The folder of the agent that a database belongs to: `agents/<id>/agent/openclaw-agent.sqlite` → `agents/<id>`. */
export function agentFolderOf(database: string): string {
  return path.dirname(path.dirname(database))
}

/**
 * Lists the transcripts in the agent databases of an OpenClaw store: live ones, those that a key has left behind, and
 * archived ones inside or beside the database.
 *
 * @throws SourceProblem after the last transcript when some database could not be listed.
 */
export async function* listOpenClawDatabases(
  store: FoundStore,
  { databases, files, seen: seenFiles }: OpenClawMemory,
): AsyncGenerator<FoundTranscript> {
  const layout = openClawLayout(store.root)
  const problems: SourceProblem[] = [...layout.problems]
  const seen = seenFiles.begin(store.id)
  for (const place of layout.places) {
    if (place.database === null || !existsSync(place.database)) continue
    const outside = layout.only === null ? checkInside(store.root, place.database) : null
    if (outside !== null) {
      problems.push(outside)
      continue
    }
    try {
      const listing: Listing = {
        store,
        database: place.database,
        place,
        found: await databases.get(place.database),
        windows: files.windows(layout.stateFolder, place.models),
        withFiles: layout.only === null,
        seen,
      }
      yield* liveTranscripts(listing)
      yield* archivedTranscripts(listing)
      const newer = newerSchema(place.database, listing.found)
      if (newer !== null && listing.found.transcripts === null) problems.push(newer)
    } catch (error) {
      problems.push(asSourceProblem(error, place.database))
    }
  }
  if (problems[0] !== undefined) throw problems[0]
}

type Listing = {
  readonly store: FoundStore
  readonly database: string
  readonly place: AgentPlace
  readonly found: AgentDatabase
  readonly windows: ModelWindows
  /** The store's JSONL files are listed too. */
  readonly withFiles: boolean
  readonly seen: CachedListing
}

function* liveTranscripts({ store, database, place, found, windows }: Listing): Generator<FoundTranscript> {
  const { dev, ino } = statSync(database)
  for (const { sessionId, key, current, rows, changedAt } of found.transcripts ?? []) {
    yield {
      id: transcriptId(store.id, database, sessionId),
      storeId: store.id,
      sessionId,
      key,
      agent: found.agent ?? place.agent,
      path: database,
      state: current ? 'live' : 'reset',
      stamp: { dev, ino, size: rows, mtimeMs: changedAt },
      index: current ? indexOf(found, key, sessionId) : null,
      windows,
    }
  }
}

function* archivedTranscripts(listing: Listing): Generator<FoundTranscript> {
  const { store, database, place, found, windows, withFiles } = listing
  const { dev, ino } = statSync(database)
  for (const archive of found.archives) {
    // Once published, an archive is also a file in the sessions folder, and listed as that.
    if (
      withFiles &&
      !archive.cold &&
      place.sessions !== null &&
      existsSync(path.join(place.sessions, archive.name))
    ) {
      continue
    }
    const { sessionId, key } = archive
    const current = archive.cold && indexOf(found, key, sessionId) !== null
    const facts = {
      sessionId,
      key,
      agent: found.agent ?? place.agent,
      // Cold storage holds the only copy of a transcript that its key may still represent.
      state: current ? ('live' as const) : archive.state,
      index: current ? indexOf(found, key, sessionId) : null,
      windows,
    }
    if (archive.blobBytes === null) {
      const transcript = coldFile(listing, archive, facts)
      if (transcript !== null) yield transcript
      continue
    }
    const stamp: SourceStamp = { dev, ino, size: archive.blobBytes, mtimeMs: archive.at }
    const inside = `${database}#${archive.cold ? 'cold/' : ''}${archive.name}`
    yield { id: transcriptId(store.id, inside), storeId: store.id, path: inside, stamp, ...facts }
  }
}

function coldFile(
  { store, database, found, seen }: Listing,
  { name }: ArchivedTranscript,
  facts: FileFacts,
): FoundTranscript | null {
  const agentFolder = agentFolderOf(database)
  return findTranscriptFile(
    { ...store, root: agentFolder },
    path.join(agentFolder, 'sessions', 'cold', path.basename(name)),
    seen,
    found,
    () => facts,
  )
}

/** The entry of a key, if the key represents this session. */
function indexOf(found: AgentDatabase, key: string | null, sessionId: string): IndexEntry | null {
  const entry = key === null ? undefined : found.index.get(key)
  return entry === undefined || (entry.sessionId !== undefined && entry.sessionId !== sessionId)
    ? null
    : entry
}
