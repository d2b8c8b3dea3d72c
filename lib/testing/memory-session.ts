import { runtimeTokens } from '../core/compaction/runtime-size'
import { isMarkedEntry } from '../core/relevance/importance'
import type { WeighEntry } from '../core/transcript/reading/read-content'
import { openPlanSource, type PlanSource } from '../engine/compaction/plan-session'
import { type InspectedSession, inspectSession } from '../engine/read/inspect-session'
import type { Cursor, FoundStore, FoundTranscript, StoreReader } from '../engine/read/ports'
import { factsOf } from './builders/transcript'

/** A stored session whose transcript is a text in memory. */
export type MemorySession = {
  readonly store: FoundStore
  readonly transcript: FoundTranscript
  readonly reader: StoreReader
  readonly session: InspectedSession
  /** Sequence numbers of the entries whose texts were asked for, in order. */
  readonly asked: number[]
}

const weigh: WeighEntry = (entry, { lengthOf, whole }) => ({
  size: runtimeTokens(entry, 'openclaw', lengthOf),
  important: isMarkedEntry(entry, whole),
})

/** A reader of texts by the path of their transcript. A function for a text says what is there by now. */
export function memoryReader(
  store: FoundStore,
  texts: ReadonlyMap<FoundTranscript, () => string>,
  asked: number[] = [],
): StoreReader {
  const textOf = ({ path }: FoundTranscript): string => {
    for (const [{ path: own }, text] of texts) if (own === path) return text()
    throw new Error(`${path} is not there`)
  }
  const source: StoreReader['source'] = async (_store, transcript, { offset, bytes, seq }) => {
    asked.push(seq)
    return Buffer.from(textOf(transcript))
      .subarray(offset, offset + bytes)
      .toString()
  }
  return {
    source,
    list: async function* (wanted) {
      if (wanted.id === store.id) yield* texts.keys()
    },
    read: async function* (_store, transcript, _cursor, onStart) {
      onStart({ restarted: false })
      const text = textOf(transcript)
      const facts = factsOf(text, weigh)
      const size = Buffer.byteLength(text)
      const cursor: Cursor = {
        ...{ dev: 1, ino: 1, size, mtimeMs: 0, offset: size, line: facts.length, seq: facts.length },
        tailHash: '',
      }
      yield { facts, texts: facts.map(() => ''), cursor, bytesRead: size }
    },
  }
}

/** Reads a text as the transcript of a session in a store. */
export async function memorySession(
  text: string,
  over: { readonly store?: Partial<FoundStore>; readonly transcript?: Partial<FoundTranscript> } = {},
): Promise<MemorySession> {
  const store: FoundStore = {
    ...{ id: 'store', kind: 'openclaw', era: 'jsonl', root: '/store', label: 'store', state: 'ok' },
    ...over.store,
  }
  const transcript: FoundTranscript = {
    ...{ id: 't1', storeId: store.id, sessionId: 's1', key: 'agent:main:main', agent: 'main' },
    ...{ path: '/store/s1.jsonl', state: 'live', index: null },
    stamp: { dev: 1, ino: 1, size: text.length, mtimeMs: 0 },
    ...over.transcript,
  }
  const asked: number[] = []
  const reader = memoryReader(store, new Map([[transcript, () => text]]), asked)
  const session = await inspectSession(reader, store, transcript, { sizes: true })
  return { store, transcript, reader, session, asked }
}

/** What plans of a session are made of, at a call. */
export async function planSourceOf(
  { reader, session }: Pick<MemorySession, 'reader' | 'session'>,
  call: number | 'last' | 'next' = 'next',
): Promise<PlanSource> {
  const source = await openPlanSource(reader, session, call)
  if (source === null) throw new Error(`There is no call ${call}`)
  return source
}
