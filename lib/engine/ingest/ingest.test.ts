import { describe, expect, it } from 'vitest'
import type { FoundStore, FoundTranscript, StoreReader } from '../read/ports'
import { type IngestContext, type IngestProgress, ingest } from './ingest'
import type { ImportJob, IngestDatabase } from './ingest-ports'

const MB = 1024 * 1024

/** Stores with transcripts of these sizes in bytes, the first of each the newest, and all that is done about them. */
function worldWith(...sizes: readonly (readonly number[])[]) {
  const stores = sizes.map(
    (_, i) => ({ id: `s${i}`, root: `/s${i}`, era: 'jsonl', state: 'ok' }) as FoundStore,
  )
  const found = sizes.map((ones, s) =>
    ones.map((size, n) => {
      // Stores take turns in being written to.
      const mtimeMs = 1e6 - n * 10 - s
      return { id: `s${s}-${n}`, path: `/s${s}/${n}`, stamp: { size, mtimeMs, dev: 1, ino: s * 1e4 + n } }
    }),
  ) as unknown as FoundTranscript[][]
  const done: string[] = []
  const written = { revision: 1, rows: 1 }
  const database = {
    saveStores: async () => undefined,
    saveStoreRead: async () => undefined,
    lastFingerprint: async () => null,
    known: async () => [],
    move: async () => [],
    register: async (ones: readonly FoundTranscript[]) => {
      if (ones.length > 0) done.push(`register ${ones.map(({ id }) => id).join(' ')}`)
      return written
    },
  } as unknown as IngestDatabase
  const reader = {
    list: async function* ({ id }: FoundStore) {
      yield* found[stores.findIndex((store) => store.id === id)] ?? []
    },
  } as unknown as StoreReader
  const context: IngestContext = {
    clock: { now: () => 0 },
    database,
    readerOf: () => reader,
    executor: {
      run: async (jobs: readonly ImportJob[], onBatch) => {
        for (const { transcript } of jobs) {
          done.push(`import ${transcript.id}`)
          const read = { sessions: [transcript.id], finished: [transcript.id], entries: 1 }
          onBatch({ ...read, bytes: transcript.stamp.size, problems: [], ...written })
        }
      },
    },
  }
  return { stores, context, done }
}

describe('an import of large stores', () => {
  it('reads the newest sessions of all stores before it enters the others into the list', async () => {
    const { stores, context, done } = worldWith(Array(20).fill(1_000), Array(20).fill(1_000))
    await ingest(context, stores)
    const ids = (...names: string[]) => names.map((id) => `import ${id}`)
    // The newest four of the store that is listed first, then what is newest of all.
    const [s0, s1] = [0, 1].map((s) => Array.from({ length: 20 }, (_, n) => `s${s}-${n}`)) as [
      string[],
      string[],
    ]
    expect(done.slice(0, 5)).toEqual([`register ${s0.slice(0, 4).join(' ')}`, ...ids(...s0.slice(0, 4))])
    const next = [...s1.slice(0, 4), ...Array.from({ length: 6 }, (_, i) => [s0[4 + i], s1[4 + i]]).flat()]
    expect(done.slice(6, 22)).toEqual(ids(...(next as string[])))
    expect(done[22]).toMatch(/^register s0-10 /)
    const imports = done.filter((what) => what.startsWith('import'))
    expect(new Set(imports).size).toBe(40)
    expect(imports).toHaveLength(40)
    expect(imports.at(-1)).toBe('import s1-19')
  })

  it('reads few of them first when they are large, but always the newest', async () => {
    const { stores, context, done } = worldWith([5 * MB, 5 * MB, 5 * MB])
    await ingest(context, stores)
    expect(done.slice(0, 4)).toEqual(['register s0-0 s0-1', 'import s0-0', 'import s0-1', 'register s0-2'])
    const huge = worldWith([900 * MB, 10])
    await ingest(huge.context, huge.stores)
    expect(huge.done.slice(0, 3)).toEqual(['register s0-0', 'import s0-0', 'register s0-1'])
  })

  it('says from its beginning how much there is, and counts both parts', async () => {
    const { stores, context } = worldWith([10 * MB, 10 * MB, 10 * MB])
    const seen: IngestProgress[] = []
    const report = await ingest(context, stores, { onProgress: (progress) => seen.push(progress) })
    expect(seen.map(({ finished, bytesRead }) => [finished, bytesRead / MB])).toEqual([
      [0, 0],
      [1, 10],
      [2, 20],
      [3, 30],
    ])
    expect(new Set(seen.map(({ sessions, bytes }) => `${sessions} ${bytes / MB}`))).toEqual(new Set(['3 30']))
    expect(report.changed).toHaveLength(3)
  })

  it('ends after the first part when it is stopped there', async () => {
    const { stores, context, done } = worldWith([10 * MB, 10 * MB])
    const stop = new AbortController()
    await ingest(context, stores, { signal: stop.signal, onBatch: () => stop.abort() })
    expect(done).toEqual(['register s0-0', 'import s0-0'])
  })
})
