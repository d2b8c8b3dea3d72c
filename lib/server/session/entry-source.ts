import 'server-only'
import { createStoreReader } from '../../adapters/stores/store-reader'
import type { SessionDetail } from '../../db/queries/session-detail'
import type { EntryPlace, FoundStore, FoundTranscript, StoreReader } from '../../engine/read/ports'
import { remember } from '../process/remember'

/** A last line without newline is an entry once the database has it. */
const reader: StoreReader = createStoreReader({ lastLine: 'take-whole' })

/** Long lines are asked for piece after piece; only such are kept. Bytes. */
const KEEP_FROM = 100_000
const texts = remember<string, Promise<string>>('entry-texts', 4)

/**
 * The raw text of an entry, from where it is: the database keeps none of it.
 * @throws SourceProblem with a message for the reader
 */
export async function readEntryText(session: SessionDetail, place: EntryPlace): Promise<string> {
  const read = () => reader.source(storeOf(session), transcriptOf(session), place)
  return place.bytes < KEEP_FROM ? read() : texts(`${session.row} ${place.seq}`, session.revision, read)
}

/** Where a session's transcript is, for readers of all of it. */
export function sourceOf(session: SessionDetail) {
  return { reader, store: storeOf(session), transcript: transcriptOf(session) }
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
    state: 'live',
    stamp: { dev: 0, ino: 0, size: 0, mtimeMs: 0 },
    index: null,
  }
}
