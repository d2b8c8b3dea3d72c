import type { ColdRecord } from '../../core/cold/record'
import { withFields } from '../../core/objects/with-fields'
import type { ColdChunk, ColdListing, ColdStore, StoredChunk } from './cold-store'
import { isSameChunk, renewedRecord } from './renew-record'

/**
 * Cold storage that lasts as long as its process and writes no file: what `createContext` keeps dropped chunks in where
 * no folder is given.
 * @example
 * ```ts
 * import { createContext, transientCold } from 'plimsoll-agent'
 *
 * const cold = transientCold()
 * const context = createContext({ model: 'claude-sonnet-4-5', cold })
 * console.log((await cold.list()).chunks.length)
 * ```
 */
export function transientCold(): ColdStore {
  const root = 'memory of this process'
  /** By place, oldest first. */
  const records = new Map<string, ColdRecord>()
  let listing: ColdListing | null = null
  /** A chunk is the same object as long as its record is, so that an index reads it once. */
  const listed = new WeakMap<ColdRecord, ColdChunk>()

  const placeOf = ({ sessionId, chunkId }: ColdRecord) => `${sessionId.length} ${sessionId} ${chunkId}`
  const put = (record: ColdRecord): StoredChunk => {
    // Two chunks of a session with the same id get different ones.
    for (let twin = 1; ; twin++) {
      const named = twin === 1 ? record : { ...record, chunkId: `${record.chunkId}-${twin}` }
      const place = placeOf(named)
      const earlier = records.get(place)
      if (earlier === undefined) {
        records.set(place, named)
        return { record: named, file: place }
      }
      if (!isSameChunk(earlier, named)) continue
      const kept = renewedRecord(earlier, named)
      records.delete(place)
      records.set(place, kept)
      return { record: kept, file: place, earlier }
    }
  }
  const isThere = ({ file, at, until }: ColdChunk) => {
    const there = records.get(file)
    return there !== undefined && there.at === at && there.until === until
  }
  const chunkOf = (file: string, record: ColdRecord): ColdChunk => {
    const known = listed.get(record)
    if (known !== undefined) return known
    const chunk = withFields(record, { file })
    listed.set(record, chunk)
    return chunk
  }
  /** What was taken and is not yet made, oldest first. */
  let waiting: (() => void)[] = []
  const settle = () => {
    const due = waiting
    waiting = []
    if (due.length > 0) listing = null
    for (const work of due) work()
  }
  const change = <T>(work: () => T): T => {
    settle()
    listing = null
    return work()
  }

  const putLater: ColdStore['putLater'] = (make) => {
    let stored: readonly StoredChunk[] = []
    waiting.push(() => {
      stored = make().map(put)
    })
    return () => {
      settle()
      return stored
    }
  }
  const store: ColdStore = {
    root,
    put: async (some) => change(() => some.map(put)),
    list: async () => {
      settle()
      listing ??= {
        chunks: [...records].map(([file, record]) => chunkOf(file, record)).toReversed(),
        problems: [],
      }
      return listing
    },
    extend: async (chunks, until) =>
      change(() => {
        const there = chunks.filter(isThere)
        for (const { file, ...record } of there) records.set(file, { ...record, until })
        return there.length
      }),
    remove: async (chunks) =>
      change(() => chunks.filter((one) => isThere(one) && records.delete(one.file)).length),
  }
  // A store that is made of this one by `{ ...store, put }` does without, so that nothing passes its own `put` by.
  return Object.defineProperty(store, 'putLater', { value: putLater, configurable: true, writable: true })
}
