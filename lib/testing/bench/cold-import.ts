import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { discoverStores } from '../../adapters/discovery/discover'
import { createStoreReader } from '../../adapters/stores/store-reader'
import { importJudge } from '../../compose/ingest/import-judge'
import type { RuntimeStore } from '../../core/policy/runtime/runtime-policy'
import { NO_PRICES } from '../../core/tokens/own-prices'
import { prepareContent } from '../../db/commands/content-version'
import { openMigrated } from '../../db/open-connection'
import { type OpenIngest, openIngest } from '../../db/open-ingest'
import type { FindingJudge } from '../../engine/ingest/finding-judge'
import { GrowingSessions } from '../../engine/ingest/growing-sessions'
import { importJobs } from '../../engine/ingest/import-jobs'
import type { ImportJob } from '../../engine/ingest/ingest-ports'
import { CONTENT_VERSION } from '../../engine/read/content-version'
import type { FoundStore } from '../../engine/read/ports'
import { labSessions } from './lab/lab-sessions'

/** An import in this thread alone, without what is the same for each: looking for stores and their settings. */
export type ColdImport = {
  /** State folders of runtimes, or copies of the corpus. */
  readonly roots: readonly string[]
  readonly isCorpus: boolean
  /** For the database, made anew. */
  readonly folder: string
  readonly migrations: string
  readonly withFindings: boolean
  readonly withSearch: boolean
}

/** One part of a measured work: what it took, and what it read. */
export type CostStep = {
  /** Processor time, all threads of the process together. */
  readonly cpuMs: number
  readonly bytes: number
}

/** A work that is done part by part, so that two of them can go on in turn. */
export type SteppedWork = { step(): Promise<CostStep>; close(): void }

/** An import of stores into a new database, in so many parts of about as many sessions each. */
export async function openColdImport(asked: ColdImport & { readonly steps: number }): Promise<SteppedWork> {
  const jobs = await jobsOf(asked)
  const opened = await newDatabase(asked)
  await opened.ingest.saveStores(storesOf(jobs), Date.now(), true)
  await opened.ingest.register(jobs.map(({ transcript }) => transcript))
  const judge = judgeFor(asked, jobs)
  const size = Math.ceil(jobs.length / asked.steps)
  let next = 0
  return {
    step: async () => {
      let bytes = 0
      const part = jobs.slice(next, next + size)
      next += size
      const cpuMs = await cpuOf(() =>
        runImport(opened, part, judge, (report) => {
          bytes += report.bytes
        }),
      )
      return { cpuMs, bytes }
    },
    close: () => opened.close(),
  }
}

async function cpuOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** A database with its index, and nothing in them. */
async function newDatabase({ folder, migrations, withSearch }: ColdImport): Promise<OpenIngest> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'cost.db')
  const migrated = openMigrated(file, migrations)
  if (!migrated.ok) throw new Error(migrated.message)
  migrated.connection.close()
  const opened = openIngest(file, withSearch, NO_PRICES)
  await prepareContent(opened.connection, opened.search, CONTENT_VERSION)
  return opened
}

function runImport(
  opened: OpenIngest,
  jobs: readonly ImportJob[],
  judge: FindingJudge | null,
  onBatch: Parameters<typeof importJobs>[3],
  growing: GrowingSessions | null = null,
): Promise<void> {
  const reader = createStoreReader()
  return importJobs(() => reader, opened.ingest, jobs, onBatch, { judge, growing })
}

function judgeFor({ withFindings }: ColdImport, jobs: readonly ImportJob[]): FindingJudge | null {
  return withFindings ? importJudge(NO_PRICES, runtimesOf(storesOf(jobs))) : null
}

function storesOf(jobs: readonly ImportJob[]): FoundStore[] {
  return [...new Map(jobs.map(({ store }) => [store.id, store])).values()]
}

/** Runtimes without their own settings. */
function runtimesOf(stores: readonly FoundStore[]): ReadonlyMap<string, RuntimeStore> {
  return new Map(
    stores.map(({ id, kind, era }) => [id, { owner: kind, era, version: null, files: [], own: null }]),
  )
}

async function jobsOf({ roots, isCorpus }: ColdImport): Promise<ImportJob[]> {
  const jobs: ImportJob[] = []
  if (isCorpus) {
    for (const root of roots)
      for await (const { store, transcript } of labSessions(root)) {
        const whole = wholeStore(store, dirname(root))
        jobs.push({ store: whole, transcript: { ...transcript, storeId: whole.id } })
      }
    return jobs
  }
  const reader = createStoreReader()
  const { stores } = await discoverStores({ env: {}, home: roots[0] ?? '', only: [...roots] })
  for (const store of stores)
    for await (const transcript of reader.list(store)) jobs.push({ store, transcript })
  return jobs
}

/** One store of all copies for each runtime, as homes have it. In the corpus each file is a store by itself. */
function wholeStore(store: FoundStore, root: string): FoundStore {
  return { ...store, id: `${store.kind}-${store.era}`, root }
}

/** Lines at the end of the session that are appended to it again, in turn. */
const LAST_LINES = 400

/** A compaction has the session read anew, with findings or without: it would hide what one line takes. */
function isPlain(line: string): boolean {
  return (JSON.parse(line) as { type?: string }).type === 'message'
}

/**
 * Imports a store of one session, and then line after line that is appended to it: so many lines a step, the first line
 * with the first step.
 */
export async function openAppends(
  asked: ColdImport & { readonly file: string; readonly lines: number },
): Promise<SteppedWork> {
  const jobs = await jobsOf(asked)
  const opened = await newDatabase(asked)
  await opened.ingest.saveStores(storesOf(jobs), Date.now(), true)
  await opened.ingest.register(jobs.map(({ transcript }) => transcript))
  const ofAll = () => undefined
  const judge = judgeFor(asked, jobs)
  // As a watch has it.
  const growing = new GrowingSessions()
  await runImport(opened, jobs, judge, ofAll, growing)
  const written = readFileSync(asked.file, 'utf8').trimEnd().split('\n').slice(-LAST_LINES)
  const lines = written.filter(isPlain)
  let parent = idOf(written.at(-1) ?? '')
  let appended = 0
  return {
    step: async () => {
      let [cpuMs, bytes] = [0, 0]
      for (let i = 0; i < asked.lines; i++) {
        const id = `bench${appended}`
        const line = renamed(lines[appended % lines.length] ?? '', id, parent)
        appended += 1
        parent = id
        appendFileSync(asked.file, `${line}\n`)
        const [job] = await jobsOf(asked)
        if (job === undefined) throw new Error(`${asked.file} is not there any more`)
        cpuMs += await cpuOf(() => runImport(opened, [job], judge, ofAll, growing))
        bytes += line.length
      }
      return { cpuMs, bytes }
    },
    close: () => opened.close(),
  }
}

/** A line once more, at the end of the conversation. */
function renamed(line: string, id: string, parentId: string | undefined): string {
  return JSON.stringify({ ...JSON.parse(line), id, parentId })
}

function idOf(line: string): string | undefined {
  const { id } = JSON.parse(line) as { id?: string }
  return id
}
