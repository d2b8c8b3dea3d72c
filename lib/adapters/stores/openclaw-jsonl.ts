import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { ModelWindows } from '../../core/transcript/formats/openclaw-config'
import { agentOfKey, EMPTY_INDEX, type SessionIndex } from '../../core/transcript/formats/openclaw-index'
import { readTranscriptName, type TranscriptName } from '../../core/transcript/formats/transcript-name'
import type { FoundStore, FoundTranscript } from '../../engine/ports'
import type { SourceProblem } from '../../engine/source-problem'
import { findTranscriptFile } from './jsonl-files'
import { type AgentPlace, checkInside, listFolder, openClawLayout } from './openclaw-layout'
import type { RuntimeFiles } from './openclaw-settings'

/** Files between two turns of the event loop while listing. */
const TURN = 512

/** Ids of the sessions that an agent database holds; empty when there is none or it cannot be read. */
export type DatabaseSessions = (database: string) => Promise<ReadonlySet<string>>

/**
 * Lists the JSONL transcripts of an OpenClaw store. Where the agent has gone over to SQLite, a file whose session is in
 * the database is a leftover of the import.
 *
 * @throws SourceProblem after the last transcript when some folder could not be listed.
 */
export async function* listOpenClawFiles(
  store: FoundStore,
  files: RuntimeFiles,
  inDatabase: DatabaseSessions,
): AsyncGenerator<FoundTranscript> {
  const layout = openClawLayout(store.root)
  const problems: SourceProblem[] = [...layout.problems]
  let count = 0
  for (const place of layout.places) {
    const context = await placeContext(place, layout.stateFolder, files, inDatabase)
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
        const found = findOne(store, folder, name, context, layout.only !== null)
        if (found === null) continue
        yield found
        if (++count % TURN === 0) await setImmediate()
      }
    }
  }
  if (problems[0] !== undefined) throw problems[0]
}

type PlaceContext = {
  readonly agent: string | null
  readonly index: SessionIndex
  readonly windows: ModelWindows
  readonly imported: ReadonlySet<string>
}

async function placeContext(
  place: AgentPlace,
  stateFolder: string | null,
  files: RuntimeFiles,
  inDatabase: DatabaseSessions,
): Promise<PlaceContext> {
  return {
    agent: place.agent,
    index: (place.sessions === null ? null : files.index(place.sessions).value) ?? EMPTY_INDEX,
    windows: files.windows(stateFolder, place.models),
    imported: place.database === null ? new Set() : await inDatabase(place.database),
  }
}

function findOne(
  store: FoundStore,
  folder: string,
  fileName: string,
  context: PlaceContext,
  explicit: boolean,
): FoundTranscript | null {
  const name = readTranscriptName(fileName) ?? (explicit ? asNamed(fileName) : null)
  if (name === null) return null
  const { index } = context
  const key = index.keyOfFile.get(fileName) ?? index.keyOfSession.get(name.sessionId) ?? null
  const entry = key === null ? undefined : index.byKey.get(key)
  // The index speaks of the live transcript only, and of the session the key stands for now.
  const describes =
    name.state === 'live' &&
    entry !== undefined &&
    (entry.sessionId === name.sessionId || index.keyOfFile.get(fileName) === key)
  return findTranscriptFile(store, path.join(folder, fileName), {
    sessionId: name.sessionId,
    key,
    agent: context.agent ?? (key === null ? null : agentOfKey(key)),
    state: name.state === 'live' && context.imported.has(name.sessionId) ? 'imported' : name.state,
    index: describes ? (entry ?? null) : null,
    windows: context.windows,
  })
}

/** A file that the operator named is read whatever it is called. */
function asNamed(fileName: string): TranscriptName {
  return { sessionId: fileName, state: 'live', compressed: fileName.endsWith('.zst') }
}
