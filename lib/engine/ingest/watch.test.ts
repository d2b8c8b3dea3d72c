import { appendFileSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { discoverStores } from '../../adapters/discovery/discover'
import { watchedFiles } from '../../adapters/discovery/watch-files'
import { createStoreReader } from '../../adapters/stores/store-reader'
import { IngestRows } from '../../db/commands/ingest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { createTestDatabase, type TestDatabase } from '../../testing/database'
import { MemoryStore } from '../../testing/memory-store'
import { temporaryFolder } from '../../testing/store-folder'
import type { FoundStore, StoreReader } from '../read/ports'
import { importJobs } from './import-jobs'
import { type WatchContext, type WatchEvent, watchStores } from './watch'
import { WATCH_TIMING, type WatchedFiles, type WatchTiming } from './watch-ports'

// Long enough that nothing but the system's notes can explain what a test sees.
const NEVER = 3_600_000

let database: TestDatabase
let root: string
let stop: AbortController
let running: Promise<void>
let events: WatchEvent[]

beforeEach(() => {
  database = createTestDatabase()
  root = temporaryFolder()
  stop = new AbortController()
  running = Promise.resolve()
  events = []
})
afterEach(async () => {
  stop.abort()
  await running
  await database.destroy()
})

function start(
  reader: StoreReader,
  discover: WatchContext['discover'],
  files: WatchedFiles = watchedFiles,
  timing: Partial<WatchTiming> = {},
  onRescanRequest?: WatchContext['onRescanRequest'],
): void {
  const ingest = new IngestRows(database.connection, null)
  const context: WatchContext = {
    clock: { now: Date.now },
    database: ingest,
    readerOf: () => reader,
    executor: {
      run: (jobs, onBatch, signal) => importJobs(() => reader, ingest, jobs, onBatch, { signal }),
    },
    files,
    discover,
    onEvent: (event) => events.push(event),
    timing: { ...WATCH_TIMING, sweepMs: NEVER, blindSweepMs: NEVER, ...timing },
    onRescanRequest,
  }
  running = watchStores(context, stop.signal)
}

const swept = () =>
  expect.poll(() => events.some(({ kind }) => kind === 'swept'), { timeout: 15_000 }).toBe(true)
const entries = () => database.connection.run('SELECT sum("entries") FROM "Session"').rows[0]?.[0]
const states = () => database.connection.run('SELECT "state" FROM "Session" ORDER BY 1').rows.flat()
const reaches = (wanted: unknown) => expect.poll(entries, { timeout: 15_000, interval: 20 }).toBe(wanted)

function transcript(turns: number): TranscriptBuilder {
  const builder = new TranscriptBuilder()
  for (let i = 0; i < turns; i++) builder.user(`turn ${i}`)
  return builder
}

function watchFolder(): void {
  start(
    createStoreReader(),
    async () => (await discoverStores({ env: {}, home: root, instead: [root] })).stores,
  )
}

describe('watching real folders (X15)', () => {
  it('takes up a line that was appended, at once and without looking at anything else', async () => {
    const builder = transcript(2)
    writeFileSync(join(root, 'a.jsonl'), builder.text())
    writeFileSync(join(root, 'b.jsonl'), transcript(3).text())
    watchFolder()
    await swept()
    expect(entries()).toBe(7)
    builder.user('one more')
    events = []
    appendFileSync(join(root, 'a.jsonl'), `${builder.lines.at(-1)}\n`)
    await reaches(8)
    // Neither after a sweep nor with one.
    expect(events.filter(({ kind }) => kind === 'swept')).toEqual([])
    const changes = events.filter((event) => event.kind === 'changed')
    expect(changes.at(-1)).toMatchObject({ sessions: [expect.any(String)], revision: expect.any(Number) })
  })

  it('sees new files, also in new folders, and files that are replaced, cut or removed', async () => {
    writeFileSync(join(root, 'a.jsonl'), transcript(5).text())
    watchFolder()
    await swept()
    mkdirSync(join(root, '--w--', 'deep'), { recursive: true })
    writeFileSync(join(root, '--w--', 'deep', 'n.jsonl'), transcript(1).text())
    await reaches(8)
    appendFileSync(join(root, '--w--', 'deep', 'n.jsonl'), '{"type":"custom","id":"x","parentId":"e1"}\n')
    await reaches(9)
    writeFileSync(join(root, 'new'), transcript(2).text())
    renameSync(join(root, 'new'), join(root, 'a.jsonl'))
    await reaches(6)
    truncateSync(join(root, 'a.jsonl'), transcript(1).text().length)
    await reaches(5)
    rmSync(join(root, 'a.jsonl'))
    await expect.poll(states, { timeout: 15_000 }).toEqual(['gone', 'live'])
  })

  it('ends when it is stopped', async () => {
    writeFileSync(join(root, 'a.jsonl'), transcript(1).text())
    watchFolder()
    await swept()
    stop.abort()
    await running
    appendFileSync(join(root, 'a.jsonl'), '{"type":"custom"}\n')
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(entries()).toBe(2)
  })
})

describe('watching when the system says nothing', () => {
  /** Watches nothing, and counts how often somebody looks. */
  function deafFiles(store: MemoryStore): WatchedFiles & { looks: number } {
    const files = {
      looks: 0,
      watcher: () => ({ watch: () => [], close: () => undefined }),
      stamp: () => {
        files.looks += 1
        return null
      },
      foldersOf: () => new Set([store.store.root]),
    }
    return files
  }

  it('finds what was missed at the next sweep', async () => {
    const store = new MemoryStore()
    store.put('a', transcript(1).text())
    start(store, async () => [store.store], deafFiles(store), { sweepMs: 150, longestRestMs: 0 })
    await swept()
    store.put('b', transcript(2).text())
    await reaches(5)
  })

  it('looks at everything when it is asked to, stores that have come since included', async () => {
    const store = new MemoryStore()
    store.put('a', transcript(1).text())
    let ask: () => void = () => undefined
    let stores: readonly FoundStore[] = []
    const hear = (listener: () => void) => {
      ask = listener
      return () => undefined
    }
    start(store, async () => stores, deafFiles(store), {}, hear)
    await swept()
    stores = [store.store]
    ask()
    await reaches(2)
  })

  it('rests between sweeps: no listing, no look at a file', async () => {
    const store = new MemoryStore()
    store.put('a', transcript(1).text())
    let listings = 0
    const counting: StoreReader = {
      list: () => {
        listings += 1
        return store.list()
      },
      read: (...[of, transcript, cursor, onStart]) => store.read(of, transcript, cursor, onStart),
      source: () => store.source(),
    }
    const files = deafFiles(store)
    start(counting, async () => [store.store], files, { longestRestMs: 0 })
    await swept()
    // Once for the sweep, once more because its folders were new.
    await expect.poll(() => listings, { timeout: 15_000 }).toBe(2)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect([listings, files.looks]).toEqual([2, 0])
  })

  it('says what it cannot watch, and looks more often then', async () => {
    const store = new MemoryStore()
    store.put('a', transcript(1).text())
    const files: WatchedFiles = {
      ...deafFiles(store),
      watcher: () => ({
        watch: (folders) => [...folders].map((folder) => ({ folder, problem: 'no more watches' })),
        close: () => undefined,
      }),
    }
    start(store, async () => [store.store], files, { blindSweepMs: 100, longestRestMs: 0 })
    await swept()
    expect(events.filter(({ kind }) => kind === 'problem')).toMatchObject([
      { message: expect.stringContaining('no more watches') },
    ])
    store.put('b', transcript(2).text())
    await reaches(5)
  })

  it('goes on after a failure', async () => {
    const store = new MemoryStore()
    store.put('a', transcript(1).text())
    let failures = 2
    const discover = async () => {
      if (failures-- > 0) throw new Error('disk full')
      return [store.store]
    }
    start(store, discover, deafFiles(store), { blindSweepMs: 30 })
    await reaches(2)
    expect(events.filter(({ kind }) => kind === 'problem')).toEqual([
      { kind: 'problem', message: 'disk full' },
      { kind: 'problem', message: 'disk full' },
    ])
  })
})
