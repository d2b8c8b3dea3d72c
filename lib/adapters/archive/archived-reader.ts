import { realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import type { ArchivedVersion } from '../../core/archive/archived-version'
import type { IndexEntry } from '../../core/transcript/session-index'
import { ArchiveDamage, type ArchiveFolder } from '../../engine/archive/archive-ports'
import { Heirs } from '../../engine/archive/heirs'
import type {
  Cursor,
  EntryPlace,
  FoundStore,
  FoundTranscript,
  ReadBatch,
  ReadStart,
  ReadWanted,
  SourceStamp,
  StoreReader,
} from '../../engine/read/ports'
import { readSources } from '../../engine/read/read-sources'
import { SourceProblem } from '../../engine/read/source-problem'
import { nodeWriteFiles } from '../write/node-write-files'
import { UnpackedFiles } from './unpacked-files'

/** An archived transcript where the reader of its store can read it. */
type Opened = {
  readonly version: ArchivedVersion
  readonly store: FoundStore
  readonly transcript: FoundTranscript
}

/**
 * A reader that also lists and reads what is no longer in a store but in the archive, with the state `gone`. What is in the
 * store is read as ever.
 * @param root folder of the archive
 */
export function withArchive(reader: StoreReader, folder: ArchiveFolder, root: string): StoreReader {
  const unpacked = new UnpackedFiles(nodeWriteFiles, folder, root, Date.now)
  const gone = goneTranscripts(folder, root)

  async function open(store: FoundStore, transcript: FoundTranscript): Promise<Opened> {
    const version = await folder.newest(transcript.id)
    if (version === null) {
      const text = `${transcript.path} is not there any more, and the archive has no copy of it.`
      throw new SourceProblem('missing', transcript.path, text)
    }
    try {
      const file = await unpacked.path(version)
      const { dev, ino, size, mtimeMs } = statSync(file)
      const real = realpathSync(path.dirname(file))
      return {
        version,
        store: { ...store, era: 'jsonl', root: real },
        transcript: {
          ...transcript,
          path: path.join(real, path.basename(file)),
          state: 'deleted',
          stamp: { dev, ino, size, mtimeMs },
        },
      }
    } catch (error) {
      if (!(error instanceof ArchiveDamage)) throw error
      throw new SourceProblem('unreadable', transcript.path, error.message, { cause: error })
    }
  }

  return {
    list: async function* (store) {
      const versions = await gone(store.id)
      const listed: FoundTranscript[] = []
      for await (const transcript of reader.list(store)) {
        if (versions.length > 0) listed.push(transcript)
        yield transcript
      }
      const ids = new Set(listed.map(({ id }) => id))
      const heirs = new Heirs(listed)
      for (const version of versions) {
        if (!ids.has(version.id) && heirs.of(version) === null) yield goneTranscript(version)
      }
    },
    fingerprint: (store) => reader.fingerprint?.(store) ?? null,
    read: async function* (store, transcript, cursor, onStart, wanted) {
      if (transcript.state !== 'gone') yield* reader.read(store, transcript, cursor, onStart, wanted)
      else yield* readGone(reader, await open(store, transcript), cursor, onStart, wanted)
    },
    source: async (store, transcript, place) => {
      if (transcript.state !== 'gone') return reader.source(store, transcript, place)
      const opened = await open(store, transcript)
      return reader.source(opened.store, opened.transcript, place)
    },
    texts: async function* (store, transcript, places: readonly EntryPlace[]) {
      if (transcript.state !== 'gone') yield* readSources(reader, store, transcript, places)
      else {
        const opened = await open(store, transcript)
        yield* readSources(reader, opened.store, opened.transcript, places)
      }
    },
    bytes: async function* (store, transcript, from, to) {
      const isGone = transcript.state === 'gone'
      const at = isGone ? await open(store, transcript) : { store, transcript }
      yield* reader.bytes?.(at.store, at.transcript, from, to) ?? []
    },
  }
}

/** Reads an unpacked file, with cursors that are about the transcript and not about that file. */
async function* readGone(
  reader: StoreReader,
  { version, store, transcript }: Opened,
  cursor: Cursor | null,
  onStart: (start: ReadStart) => void,
  wanted?: ReadWanted,
): AsyncGenerator<ReadBatch> {
  const stamp = goneStamp(version)
  const isOfIt = cursor !== null && cursor.dev === stamp.dev && cursor.ino === stamp.ino
  if (isOfIt && cursor.offset > version.size && !version.path.endsWith('.zst')) {
    // More was read than was copied before it was deleted; all that was read stays.
    onStart({ restarted: false })
    yield { facts: [], texts: [], cursor: { ...cursor, ...stamp }, bytesRead: 0 }
    return
  }
  const from = isOfIt ? { ...cursor, ...transcript.stamp } : cursor
  for await (const batch of reader.read(store, transcript, from, onStart, wanted)) {
    yield { ...batch, cursor: { ...batch.cursor, ...stamp } }
  }
}

function goneTranscript(version: ArchivedVersion): FoundTranscript {
  const { id, sessionId, key, agent, path: source, store } = version
  return {
    ...{ id, storeId: store.id, sessionId, key, agent, path: source },
    state: 'gone',
    stamp: goneStamp(version),
    // It was checked when the store's index was read, and every field may be absent.
    index: version.index as IndexEntry | null,
  }
}

/** What was lines of a database is now a file of them: nothing that was read of the database goes on in it. */
function goneStamp({ form, stamp, size }: ArchivedVersion): SourceStamp {
  return form === 'file' ? stamp : { dev: 0, ino: 0, size, mtimeMs: stamp.mtimeMs }
}

/** Newest copies of what has gone from a store; read again only when something is noted as gone, or no longer. */
function goneTranscripts(
  folder: ArchiveFolder,
  root: string,
): (storeId: string) => Promise<readonly ArchivedVersion[]> {
  let known = { stamp: '', byStore: new Map<string, ArchivedVersion[]>() }
  return async (storeId) => {
    const stat = await nodeWriteFiles.stat(path.join(root, 'gone'))
    const stamp = stat === null ? '' : stat.mtimeNs
    if (stamp !== known.stamp) {
      const byStore = new Map<string, ArchivedVersion[]>()
      for (const mark of await folder.marks()) {
        const version = await folder.newest(mark.id)
        if (version === null) continue
        byStore.set(mark.storeId, [...(byStore.get(mark.storeId) ?? []), version])
      }
      known = { stamp, byStore }
    }
    return known.byStore.get(storeId) ?? []
  }
}
