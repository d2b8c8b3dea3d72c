import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Journals } from '../../adapters/cold/journals'
import { openColdStore } from '../../adapters/cold/open-cold-store'
import { coldScanner } from '../../adapters/cold/scan-cold'
import { nodeWriteFiles } from '../../adapters/write/node-write-files'
import { coldLine } from '../../core/cold/record'
import { ColdIndexFile } from '../../db/sqlite/cold-index'
import { LocalConnection } from '../../db/sqlite/local-connection'
import { IndexedCold } from '../../engine/cold/indexed-cold'
import { purgeCold } from '../../engine/cold/purge-cold'
import { ANY_CHUNK } from '../../engine/cold/search-cold'
import { type Bench, type BenchContext, type Measurement, quantile } from './report'

const [CHUNKS, SESSIONS, SEARCHES, NEW, EXPIRED] = [100_000, 250, 400, 100, 500]

/** Search over cold storage, from the first start to one after a few chunks came. */
export const coldBench: Bench = {
  name: 'cold',
  title: 'Cold storage: search over 100,000 chunks',
  async run({ folder, log }) {
    const root = join(folder, 'cold-storage')
    for (let n = 0; n < CHUNKS; n++) writeChunk(root, n)
    settle(root)
    log(`${CHUNKS} files in ${SESSIONS} folders are written`)
    const first = open(folder, root)
    const build = await timed(() => first.refresh())
    const started = open(folder, root)
    const start = await timed(() => started.refresh())
    const figures: Measurement[] = [
      { what: 'reading all of it, once', value: build / 1000, unit: 's', limit: null },
      { what: 'start with nothing new', value: start, unit: 'ms', limit: 500 },
      ...(await searches(started)),
    ]
    for (let n = CHUNKS; n < CHUNKS + NEW; n++) writeChunk(root, n, 7)
    const more = await timed(() => started.refresh())
    return [
      ...figures,
      { what: `${NEW} more chunks in one session`, value: more, unit: 'ms', limit: 1000 },
      ...(await purge(folder, root)),
    ]
  },
}

function open(folder: BenchContext['folder'], root: string): IndexedCold {
  const index = new ColdIndexFile(new LocalConnection(join(folder, 'cold-index.db')), root)
  return new IndexedCold(
    index,
    coldScanner(nodeWriteFiles, root, new Journals(nodeWriteFiles, root)),
    Date.now,
  )
}

/** As the command line does it, in a separate process: once to look, once to do it. */
async function purge(folder: string, root: string): Promise<Measurement[]> {
  for (let n = 0; n < EXPIRED; n++) writeChunk(root, CHUNKS + NEW + n, n % SESSIONS, -1)
  const store = openColdStore(root)
  const once = (apply: boolean) => purgeCold(store, open(folder, root), { apply })
  const looked = await timed(() => once(false))
  const start = performance.now()
  const { removed } = await once(true)
  const done = performance.now() - start
  if (removed !== EXPIRED) throw new Error(`${removed} chunks were purged`)
  return [
    { what: `purge of ${EXPIRED} expired chunks, what it would do`, value: looked, unit: 'ms', limit: 2000 },
    { what: `purge of ${EXPIRED} expired chunks`, value: done, unit: 'ms', limit: 2000 },
  ]
}

async function searches(cold: IndexedCold): Promise<Measurement[]> {
  const times: number[] = []
  for (let i = 0; i < SEARCHES; i++) {
    times.push(await timed(() => cold.search(queryOf(i), ANY_CHUNK, 20)))
  }
  const [common, everywhere]: [number[], number[]] = [[], []]
  for (let i = 0; i < SEARCHES / 10; i++) {
    common.push(await timed(() => cold.search('the harbour', { ...ANY_CHUNK, session: `s${i}` }, 20)))
    everywhere.push(await timed(() => cold.search('the harbour', ANY_CHUNK, 20)))
  }
  return [
    { what: 'search of two to four words, p50', value: quantile(times, 0.5), unit: 'ms', limit: null },
    { what: 'search of two to four words, p95', value: quantile(times, 0.95), unit: 'ms', limit: 100 },
    {
      what: 'words of every chunk, in one session, p95',
      value: quantile(common, 0.95),
      unit: 'ms',
      limit: 60,
    },
    {
      what: 'words of every chunk, in all sessions, p95',
      value: quantile(everywhere, 0.95),
      unit: 'ms',
      limit: null,
    },
  ]
}

/** As people ask: something rare with something that is everywhere, or only what many chunks have. */
function queryOf(i: number): string {
  if (i % 4 === 0) return `berth${i * 37} in the harbour`
  if (i % 4 === 1) return `why is src/dock${i % 300}/crane${i % 40}.ts closed`
  if (i % 4 === 2) return `draught ship${i}`
  return `tide${i % 90} error${i % 500}`
}

function writeChunk(root: string, n: number, session = n % SESSIONS, days = 30): void {
  const words = Array.from(
    { length: 12 },
    (_, i) =>
      `the berth${(n * 31 + i * i) % 49_999} of ship${(n + i) % 5000} in src/dock${n % 300}/crane${i}.ts`,
  )
  const content = `harbour draught tide${n % 90} error${n % 500}: ${words.join(', ')}`
  const at = Date.now() - n * 1000
  const folder = join(root, `s${session}`)
  if (n < SESSIONS) mkdirSync(folder, { recursive: true })
  const base = {
    at,
    until: at + days * 86_400_000,
    content,
    tokens: 250,
    reason: 'low_relevance',
    score: 0.2,
  }
  const chunk = { ...base, chunkId: `c${n}`, sessionId: `s${session}`, prompt: 'what is open', place: null }
  writeFileSync(join(folder, `c${n}.jsonl`), `${coldLine(chunk)}\n`)
}

/** As if the folders had been at rest for a while. */
function settle(root: string): void {
  const before = new Date(Date.now() - 60_000)
  for (let i = 0; i < SESSIONS; i++) utimesSync(join(root, `s${i}`), before, before)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
