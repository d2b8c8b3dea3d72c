import 'server-only'
import { readSavedOutput } from '../../adapters/sources/claude-code/saved-output'
import { createStoreReader } from '../../adapters/stores/store-reader'
import { archiveRoot, readerWithArchive } from '../../compose/archive'
import type { SessionDetail } from '../../db/queries/session-detail'
import type { EntryPlace, FoundStore, FoundTranscript, StoreReader } from '../../engine/read/ports'
import { remember } from '../process/remember'
import { getSetup } from '../process/setup'

/** A last line without newline is an entry once the database has it. */
const plain: StoreReader = createStoreReader({ lastLine: 'take-whole' })

/** One for each state folder, of which a process of the dashboard has one. */
const readers = new Map<string, StoreReader>()

function readerOf(): StoreReader {
  const root = archiveRoot(getSetup().environment)
  const known = readers.get(root)
  if (known !== undefined) return known
  const reader = readerWithArchive(plain, root)
  readers.set(root, reader)
  return reader
}

/** Long lines are asked for piece after piece; only such are kept. Bytes. */
const KEEP_FROM = 100_000
const texts = remember<string, Promise<string>>('entry-texts', 4)

/**
 * The raw text of an entry, from where it is: the database keeps none of it.
 * @throws SourceProblem with a message for the reader
 */
export async function readEntryText(session: SessionDetail, place: EntryPlace): Promise<string> {
  const read = () => readerOf().source(storeOf(session), transcriptOf(session), place)
  const key = `${session.row} ${place.seq}${place.asWritten ? ' as written' : ''}`
  return place.bytes < KEEP_FROM ? read() : texts(key, session.revision, read)
}

/**
 * The whole of an output that the runtime saved beside the transcript, by the name that the transcript has for it.
 * @throws SourceProblem with a message for the reader
 */
export async function readSavedText(session: SessionDetail, name: string): Promise<string> {
  const read = async () => readSavedOutput(storeOf(session), session, name)
  return texts(`${session.row} saved ${name}`, session.revision, read)
}

/** Where a session's transcript is, for readers of all of it. */
export function sourceOf(session: SessionDetail) {
  return { reader: readerOf(), store: storeOf(session), transcript: transcriptOf(session) }
}

function storeOf({ store }: SessionDetail): FoundStore {
  return {
    id: store.id,
    kind: store.kind,
    era: store.era,
    root: store.root,
    label: store.label,
    state: 'ok',
  }
}

function transcriptOf(session: SessionDetail): FoundTranscript {
  return {
    id: session.id,
    storeId: session.store.id,
    sessionId: session.sessionId,
    key: session.key,
    agent: session.agent,
    path: session.path,
    state: session.state === 'gone' ? 'gone' : 'live',
    stamp: { dev: 0, ino: 0, size: 0, mtimeMs: 0 },
    index: null,
  }
}
