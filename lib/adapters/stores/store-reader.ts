import { setImmediate } from 'node:timers/promises'
import { runtimeTokens } from '../../core/compaction/runtime-size'
import { isMarkedEntry } from '../../core/relevance/importance'
import type { WeighEntry } from '../../core/transcript/reading/read-content'
import type {
  Cursor,
  EntryPlace,
  FoundStore,
  FoundTranscript,
  ReadBatch,
  ReadStart,
  ReadWanted,
  StoreReader,
} from '../../engine/read/ports'
import { runtimeKindOf } from '../../engine/read/runtime-kind'
import { fingerprintRoot } from '../discovery/store-fingerprint'
import { asSourceProblem } from '../files/regular-file'
import type { LineOrigin } from '../jsonl/line-origin'
import { DEFAULT_LIMITS, readJsonl } from '../jsonl/read-jsonl'
import type { ReadLimits, ReadOptions } from '../jsonl/read-limits'
import { listSource } from '../sources/list-source'
import type { DatabaseReading } from '../sources/source'
import { sourceNamed } from '../sources/sources'
import { SqliteFiles } from '../sqlite/read-only'
import { AgentDatabases } from './agent-databases'
import { openArchive } from './archive-blob'
import { entryTextAt } from './entry-text'
import { bytesOfFile, readTranscriptFile, sourceOfFile, sourcesOfFile } from './jsonl-files'
import { ListingCache } from './listing-cache'
import { listOpenClawFiles, type OpenClawMemory } from './openclaw-jsonl'
import { RuntimeFiles } from './openclaw-settings'
import { agentFolderOf, listOpenClawDatabases, splitDatabasePath } from './openclaw-sqlite'
import { listPiFiles } from './pi'
import { readRows, sourceOfRow, sourcesOfRows } from './read-rows'

/** How a store is read; all of it can be left out. */
export type StoreReaderOptions = {
  /**
   * What becomes of a live transcript's last line when its newline has not come: `leave` it for the next time (the
   * writer may be in the middle of it), or `take-whole` if it is a whole entry, for one complete reading.
   */
  readonly lastLine?: ReadOptions['lastLine']
  readonly limits?: Partial<ReadLimits>
}

/** So much is read at once where many texts are; a few milliseconds. UTF-16 units. */
const TURN_CHARS = 1 << 20

/**
 * Reads stores of every kind and era. Remembers indexes, so keep one reader for as long as stores are watched.
 */
export function createStoreReader(options: StoreReaderOptions = {}): Required<StoreReader> {
  const reading: ReadOptions = {
    lastLine: options.lastLine ?? 'leave',
    limits: { ...DEFAULT_LIMITS, ...options.limits },
  }
  const { limits } = reading
  const sqlite = new SqliteFiles()
  const memory: OpenClawMemory = {
    files: new RuntimeFiles(),
    databases: new AgentDatabases(sqlite),
    seen: new ListingCache(),
    contexts: new Map(),
  }

  function list(store: FoundStore): AsyncGenerator<FoundTranscript> {
    const source = sourceNamed(store.kind)
    if (source?.reading.era === 'sqlite') return source.reading.list(sqlite, store)
    if (source !== undefined) return listSource(source, store, memory.seen)
    if (store.kind === 'pi') return listPiFiles(store, memory.files, memory.seen)
    return store.era === 'sqlite' ? listOpenClawDatabases(store, memory) : listOpenClawFiles(store, memory)
  }

  async function* read(
    store: FoundStore,
    transcript: FoundTranscript,
    cursor: Cursor | null,
    onStart: (start: ReadStart) => void,
    { sizes = false, texts = true, marks = false }: ReadWanted = {},
  ): AsyncGenerator<ReadBatch> {
    const asked = { ...limits, texts, marks, weigh: sizes ? weigherOf(store) : undefined }
    const wanted = { ...reading, limits: asked }
    const { database, archive } = splitDatabasePath(transcript.path)
    const foreign = databaseReading(store)
    if (foreign !== null) yield* foreign.read(sqlite, transcript, cursor, onStart, wanted)
    else if (store.era === 'jsonl') yield* readTranscriptFile(store, transcript, cursor, onStart, wanted)
    else if (archive !== null) {
      const origin = await openArchive(sqlite, transcript, database, archive)
      yield* readJsonl(origin, cursor, onStart, 'take', asked)
    } else if (isColdFile(transcript.path)) {
      yield* readTranscriptFile(coldStore(store, transcript), transcript, cursor, onStart, wanted)
    } else yield* readRows(sqlite, transcript, cursor, onStart, asked)
  }

  async function source(store: FoundStore, transcript: FoundTranscript, place: EntryPlace): Promise<string> {
    const { database, archive } = splitDatabasePath(transcript.path)
    const foreign = databaseReading(store)
    if (foreign !== null) return foreign.source(sqlite, transcript, place, limits)
    if (store.era === 'jsonl') return sourceOfFile(store, transcript, place, limits)
    if (archive !== null) {
      return textOf(await openArchive(sqlite, transcript, database, archive), place, transcript)
    }
    if (isColdFile(transcript.path)) {
      return sourceOfFile(coldStore(store, transcript), transcript, place, limits)
    }
    return sourceOfRow(sqlite, transcript, place, limits)
  }

  function textOf(origin: LineOrigin, place: EntryPlace, { path }: FoundTranscript): string {
    try {
      return entryTextAt(origin, place, limits.maxLine)
    } catch (error) {
      throw asSourceProblem(error, path)
    }
  }

  async function* texts(
    store: FoundStore,
    transcript: FoundTranscript,
    places: readonly EntryPlace[],
  ): AsyncGenerator<string> {
    const { database, archive } = splitDatabasePath(transcript.path)
    if (archive !== null) {
      const origin = await openArchive(sqlite, transcript, database, archive)
      for (const place of places) yield textOf(origin, place, transcript)
    } else if (store.era === 'sqlite' && databaseReading(store) === null && !isColdFile(transcript.path)) {
      yield* sourcesOfRows(sqlite, transcript, places, limits)
    } else if (store.era === 'jsonl' && !transcript.path.endsWith('.zst')) {
      let size = 0
      for (const text of sourcesOfFile(store, transcript, places, limits)) {
        yield text
        size += text.length
        if (size < TURN_CHARS) continue
        size = 0
        // The pages of this process get a turn in between.
        await setImmediate()
      }
    } else {
      // Files that are compressed are archived, and small: they are looked up one by one.
      for (const place of places) yield await source(store, transcript, place)
    }
  }

  return { list, read, source, texts, bytes: bytesOfFile, fingerprint: fingerprintRoot }
}

/** How the databases of another runtime are read; null for OpenClaw's, and for files. */
function databaseReading({ kind }: FoundStore): DatabaseReading | null {
  const reading = sourceNamed(kind)?.reading
  return reading?.era === 'sqlite' ? reading : null
}

function weigherOf(store: FoundStore): WeighEntry {
  const kind = runtimeKindOf(store)
  return (entry, { lengthOf, whole }) => ({
    size: runtimeTokens(entry, kind, lengthOf),
    important: isMarkedEntry(entry, whole),
  })
}

function isColdFile(path: string): boolean {
  return path.endsWith('.zst')
}

/** Cold archives are in the agent's folder, also when the store was named by its database alone. */
function coldStore(store: FoundStore, transcript: FoundTranscript): FoundStore {
  // <agent>/sessions/cold/<file>
  return { ...store, root: agentFolderOf(agentFolderOf(transcript.path)) }
}
