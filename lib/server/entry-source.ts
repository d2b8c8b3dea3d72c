import 'server-only'
import { createStoreReader } from '../adapters/store-reader'
import type { SessionDetail } from '../db/queries/session-detail'
import type {
  EntryPlace,
  FoundStore,
  FoundTranscript,
  StoreEra,
  StoreKind,
  StoreReader,
} from '../engine/ports'
import { RecentlyUsed } from './recently-used'

/** A last line without newline is an entry once the database has it. */
const reader: StoreReader = createStoreReader({ lastLine: 'take-whole' })

/** Long lines are asked for piece after piece; only such are kept. Characters. */
const KEEP_FROM = 100_000
const kept = new RecentlyUsed<string, string>(4)

/**
 * The raw text of an entry, from where it stands: the database keeps none of it.
 * @throws SourceProblem with a message for the reader
 */
export async function readEntryText(session: SessionDetail, place: EntryPlace): Promise<string> {
  const key = `${session.row} ${session.revision} ${place.seq}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const text = await reader.source(storeOf(session), transcriptOf(session), place)
  if (text.length >= KEEP_FROM) kept.set(key, text)
  return text
}

/** Where a session's transcript stands, for whoever reads all of it. */
export function sourceOf(session: SessionDetail) {
  return { reader, store: storeOf(session), transcript: transcriptOf(session) }
}

function storeOf({ store }: SessionDetail): FoundStore {
  return {
    id: store.id,
    kind: store.kind as StoreKind,
    era: store.era as StoreEra,
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
