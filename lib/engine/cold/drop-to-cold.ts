import type { ColdRecord } from '../../core/cold/record'
import { ARCHIVE_DAYS, ARCHIVE_MIN_CHARS, ARCHIVE_REASON, recoverableUntil } from '../../core/cold/retention'
import type { Policy } from '../../core/policy/policy'
import { reasonOf } from '../../core/words/reason-of'
import type { WriteRefusal } from '../write/receipt'
import { asRefused, Refused } from '../write/refusal'
import type { ColdStore, StoredChunk } from './cold-store'

/** A chunk that is about to leave a context. */
export type Leaving = Omit<ColdRecord, 'at' | 'until'>

export type DropResult =
  /** May leave the context now: in the order given, with their ids and files. */
  | { readonly kind: 'stored'; readonly chunks: readonly StoredChunk[] }
  /** Must stay: cold storage is off, or could not take them. */
  | { readonly kind: 'refused'; readonly refusal: WriteRefusal }

export type ColdPorts = { readonly store: ColdStore; readonly now: () => number }

/** Stores chunks before they leave the context: all of them, or none may leave. */
export async function dropToCold(
  { store, now }: ColdPorts,
  chunks: readonly Leaving[],
  { coldStorage }: Pick<Policy, 'coldStorage'>,
): Promise<DropResult> {
  if (!coldStorage.enabled)
    return refuse(
      'not-supported',
      'Cold storage is switched off (coldStorage.enabled), so nothing is dropped: it could not be brought back.',
    )
  const at = now()
  const until = recoverableUntil(at, coldStorage.days)
  return putAll(
    store,
    chunks.map((chunk) => asRecord(chunk, at, until)),
  )
}

/** Whether a store takes records that are made later; what was made of such a store has its own way to keep them. */
export function takesLater(store: ColdStore): store is ColdStore & Required<Pick<ColdStore, 'putLater'>> {
  return Object.hasOwn(store, 'putLater') && store.putLater !== undefined
}

/**
 * The same where the store takes what is made later: nothing is written out before somebody asks for it.
 * @param make is called once, and does not fail
 * @returns null where the store needs its records now
 */
export function dropToColdLater(
  { store, now }: ColdPorts,
  make: () => readonly Leaving[],
  { coldStorage }: Pick<Policy, 'coldStorage'>,
): DropResult | null {
  if (!takesLater(store) || !coldStorage.enabled) return null
  const at = now()
  const until = recoverableUntil(at, coldStorage.days)
  const stored = store.putLater(() => make().map((chunk) => asRecord(chunk, at, until)))
  return {
    kind: 'stored',
    get chunks() {
      return stored()
    },
  }
}

/** Made in one piece: a compaction drops thousands. */
function asRecord(chunk: Leaving, at: number, until: number): ColdRecord {
  const { chunkId, sessionId, content, tokens, reason, score, prompt, place, messages } = chunk
  const record = { chunkId, sessionId, at, content, tokens, reason, score, prompt, until, place }
  return messages === undefined ? record : Object.assign(record, { messages })
}

/** What a session that has ended leaves behind, for a shorter time. Chunks that hold next to nothing are left out. */
export async function archiveToCold(
  { store, now }: ColdPorts,
  chunks: readonly Omit<Leaving, 'reason' | 'score' | 'prompt'>[],
  { coldStorage }: Pick<Policy, 'coldStorage'>,
): Promise<DropResult> {
  if (!coldStorage.enabled)
    return refuse(
      'not-supported',
      'Cold storage is switched off (coldStorage.enabled), so nothing is archived.',
    )
  const at = now()
  const until = recoverableUntil(at, ARCHIVE_DAYS)
  const worth = chunks.filter(({ content }) => content.length > ARCHIVE_MIN_CHARS)
  return putAll(
    store,
    // They have no scores.
    worth.map((chunk) => ({ ...chunk, reason: ARCHIVE_REASON, score: null, prompt: null, at, until })),
  )
}

async function putAll(store: ColdStore, records: readonly ColdRecord[]): Promise<DropResult> {
  if (records.length === 0) return { kind: 'stored', chunks: [] }
  try {
    const chunks = await store.put(records)
    if (chunks.length === records.length) return { kind: 'stored', chunks }
    const taken = `${store.root} took ${chunks.length} of ${records.length} chunks.`
    return refuse('failed', `${taken} Nothing was dropped.`)
  } catch (error) {
    const reason = asRefused(error, store.root)
    if (reason instanceof Refused) {
      const { code, message } = reason.refusal
      return refuse(code, `${message} Nothing was dropped.`)
    }
    return refuse('failed', `${store.root} cannot be written: ${reasonOf(reason)}. Nothing was dropped.`)
  }
}

function refuse(code: WriteRefusal['code'], message: string): DropResult {
  return { kind: 'refused', refusal: { code, message } }
}
