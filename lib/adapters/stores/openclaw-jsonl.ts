import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { ModelWindows } from '../../core/transcript/formats/openclaw-config'
import { agentOfKey, EMPTY_INDEX, type SessionIndex } from '../../core/transcript/formats/openclaw-index'
import {
  isTranscriptName,
  readTranscriptName,
  type TranscriptName,
} from '../../core/transcript/formats/transcript-name'
import type { FoundStore, FoundTranscript } from '../../engine/read/ports'
import type { SourceProblem } from '../../engine/read/source-problem'
import type { AgentDatabases } from './agent-databases'
import { type FileFacts, findTranscriptFile } from './jsonl-files'
import type { CachedListing, ListingCache } from './listing-cache'
import { type AgentPlace, checkInside, listFolder, openClawLayout } from './openclaw-layout'
import type { RuntimeFiles } from './openclaw-settings'

/** Files between two turns of the event loop while listing. */
const TURN = 512

/** What listings remember from one time to the next. */
export type OpenClawMemory = {
  readonly files: RuntimeFiles
  readonly databases: AgentDatabases
  readonly seen: ListingCache
  /** By sessions folder; the same object while nothing in it changes. */
  readonly contexts: Map<string, PlaceContext>
}

/**
 * Lists the JSONL transcripts of an OpenClaw store. Where the agent has gone over to SQLite, a file whose session is in
 * the database is a leftover of the import.
 *
 * @throws SourceProblem after the last transcript when some folder could not be listed.
 */
export async function* listOpenClawFiles(
  store: FoundStore,
  memory: OpenClawMemory,
): AsyncGenerator<FoundTranscript> {
  const layout = openClawLayout(store.root)
  const problems: SourceProblem[] = [...layout.problems]
  const seen = memory.seen.begin(store.id)
  let count = 0
  for (const place of layout.places) {
    const context = await placeContext(place, layout.stateFolder, memory)
    for (const folder of [place.sessions, place.imports]) {
      if (folder === null) continue
      const outside = layout.only === null ? checkInside(store.root, folder) : null
      if (outside !== null) {
        problems.push(outside)
        continue
      }
      const names =
        layout.only === null
          ? listFolder(folder, problems).flatMap((entry) => (entry.isDirectory() ? [] : entry.name))
          : [path.basename(layout.only)]
      for (const name of names) {
        const found = findOne(store, folder, name, context, layout.only !== null, seen)
        if (found === null) continue
        yield found
        if (++count % TURN === 0) await setImmediate()
      }
    }
  }
  if (problems[0] !== undefined) throw problems[0]
}

/** What descriptions of an agent's transcripts draw on. */
type PlaceContext = {
  readonly agent: string | null
  readonly index: SessionIndex
  readonly windows: ModelWindows
  readonly imported: ReadonlySet<string>
}

async function placeContext(
  place: AgentPlace,
  stateFolder: string | null,
  { files, databases, contexts }: OpenClawMemory,
): Promise<PlaceContext> {
  const fresh: PlaceContext = {
    agent: place.agent,
    index: (place.sessions === null ? null : files.index(place.sessions).value) ?? EMPTY_INDEX,
    windows: files.windows(stateFolder, place.models),
    imported: place.database === null ? NOTHING_IMPORTED : await databases.sessionsOf(place.database),
  }
  const key = `${place.sessions}\n${place.agent}`
  const known = contexts.get(key)
  if (known?.index === fresh.index && known.windows === fresh.windows && known.imported === fresh.imported) {
    return known
  }
  contexts.set(key, fresh)
  return fresh
}

const NOTHING_IMPORTED: ReadonlySet<string> = new Set()

function findOne(
  store: FoundStore,
  folder: string,
  fileName: string,
  context: PlaceContext,
  explicit: boolean,
  seen: CachedListing,
): FoundTranscript | null {
  // A file that the operator named is read whatever it is called.
  if (!explicit && !isTranscriptName(fileName)) return null
  return findTranscriptFile(store, folder + path.sep + fileName, seen, context, () =>
    describe(fileName, readTranscriptName(fileName) ?? asNamed(fileName), context),
  )
}

function describe(
  fileName: string,
  name: TranscriptName,
  { agent, index, windows, imported }: PlaceContext,
): FileFacts {
  const key = index.keyOfFile.get(fileName) ?? index.keyOfSession.get(name.sessionId) ?? null
  const entry = key === null ? undefined : index.byKey.get(key)
  // The index speaks of the live transcript only, and of the session the key represents now.
  const describes =
    name.state === 'live' &&
    entry !== undefined &&
    (entry.sessionId === name.sessionId || index.keyOfFile.get(fileName) === key)
  return {
    sessionId: name.sessionId,
    key,
    agent: agent ?? (key === null ? null : agentOfKey(key)),
    state: name.state === 'live' && imported.has(name.sessionId) ? 'imported' : name.state,
    index: describes ? entry : null,
    windows,
  }
}

function asNamed(fileName: string): TranscriptName {
  return { sessionId: fileName, state: 'live', compressed: fileName.endsWith('.zst') }
}
