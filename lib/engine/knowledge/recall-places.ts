import { isExpired } from '../../core/cold/retention'
import { TEXT_BREAK } from '../../core/memory/chunk-memory'
import type { ColdStore } from '../cold/cold-store'
import type { FoundStore, FoundTranscript, StoreReader } from '../read/ports'
import type { RecallPlace, RecallText } from './recall-ports'

/**
 * Chunks of cold storage as long as they are offered: each is a source, which never changes.
 *
 * @example
 * ```ts
 * import { openColdStore, RecallLibrary, recallCold } from 'plimsoll-agent'
 *
 * const library = new RecallLibrary({ places: [recallCold(openColdStore('cold'), Date.now)] })
 * ```
 */
export function recallCold(store: ColdStore, now: () => number): RecallPlace {
  return {
    list: async () => {
      const { chunks, problems } = await store.list()
      const at = now()
      const unreadable = problems.filter(({ kind }) => kind === 'unreadable')
      return {
        sources: chunks
          .filter((chunk) => !isExpired(chunk, at))
          .map((chunk) => ({
            id: `cold:${chunk.file}#${chunk.chunkId}`,
            origin: 'cold' as const,
            name: `cold-storage/${chunk.chunkId}`,
            stamp: String(chunk.at),
            read: async (): Promise<RecallText> => ({ ok: true, text: chunk.content, note: null }),
          })),
        problems: unreadable.map(({ file, why }) => `${file}: ${why}`),
        unseen: unreadable.map(({ file }) => `cold:${file}`),
      }
    },
  }
}

/** A session that was not touched for so long is an old one. Milliseconds. */
const OLD_AFTER_MS = 3_600_000
/** Of a long session the newest part is recalled. Characters. */
const MOST_TEXT = 1_000_000
const SAID = new Set(['user', 'assistant', 'compactionSummary', 'branchSummary'])

/** How old sessions are found and read. */
export type OldSessionsOptions = {
  readonly reader: StoreReader
  readonly find: () => Promise<
    readonly { readonly store: FoundStore; readonly transcript: FoundTranscript }[]
  >
  readonly now: () => number
  /** Session ids and keys that are none of the past: those that ask. */
  readonly without?: ReadonlySet<string>
}

/** The id of what was said in a session, among all that can be recalled. */
export function sessionSource(transcript: string): string {
  return `session:${transcript}`
}

/**
 * What was said in sessions that have come to rest, without what tools returned.
 *
 * @example
 * ```ts
 * import { createStoreReader, recallSessions } from 'plimsoll-agent'
 *
 * const place = recallSessions({ reader: createStoreReader(), find: async () => [], now: Date.now })
 * ```
 */
export function recallSessions({ reader, find, now, without = new Set() }: OldSessionsOptions): RecallPlace {
  return {
    list: async () => {
      const at = now()
      const found = (await find()).filter(
        ({ transcript: { state, stamp, sessionId, key, problem } }) =>
          problem === undefined &&
          (state === 'live' || state === 'reset' || state === 'deleted') &&
          (state !== 'live' || at - stamp.mtimeMs > OLD_AFTER_MS) &&
          !without.has(sessionId) &&
          (key === null || !without.has(key)),
      )
      const old = found.toSorted((a, b) => b.transcript.stamp.mtimeMs - a.transcript.stamp.mtimeMs)
      return {
        sources: old.map(({ store, transcript }) => ({
          id: sessionSource(transcript.id),
          origin: 'session' as const,
          name: `session/${transcript.key ?? transcript.sessionId}`,
          stamp: Object.values(transcript.stamp).join(':'),
          read: () => saidIn(reader, store, transcript),
        })),
        problems: [],
        unseen: [],
      }
    },
  }
}

async function saidIn(
  reader: StoreReader,
  store: FoundStore,
  transcript: FoundTranscript,
): Promise<RecallText> {
  const said: string[] = []
  let length = 0
  for await (const { facts, texts } of reader.read(store, transcript, null, () => undefined))
    for (const [i, fact] of facts.entries()) {
      const text = texts[i] ?? ''
      if (text === '' || !(SAID.has(fact.role ?? '') || fact.type === 'compaction')) continue
      said.push(text)
      length += text.length
      while (length > MOST_TEXT && said.length > 1) length -= said.shift()?.length ?? 0
    }
  return { ok: true, text: said.join(`\n${TEXT_BREAK}\n`), note: null }
}
