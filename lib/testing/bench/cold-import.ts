import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { discoverStores } from '../../adapters/discovery/discover'
import { createStoreReader } from '../../adapters/stores/store-reader'
import { importJudge } from '../../compose/import-judge'
import type { RuntimeStore } from '../../core/policy/runtime/runtime-policy'
import { NO_PRICES } from '../../core/tokens/own-prices'
import { prepareContent } from '../../db/commands/content-version'
import { openMigrated } from '../../db/open-connection'
import { type OpenIngest, openIngest } from '../../db/open-ingest'
import type { FindingJudge } from '../../engine/ingest/finding-judge'
import { importJobs } from '../../engine/ingest/import-jobs'
import type { ImportJob } from '../../engine/ingest/ingest-ports'
import { CONTENT_VERSION } from '../../engine/read/content-version'
import type { FoundStore } from '../../engine/read/ports'
import { labSessions } from './lab-sessions'

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

export type ColdImportFigures = {
  /** Processor time of the import, all threads of the process together. */
  readonly cpuMs: number
  readonly bytes: number
  readonly entries: number
}

/** Imports stores into a new database and answers what it took. */
export async function importCold(asked: ColdImport): Promise<ColdImportFigures> {
  const jobs = await jobsOf(asked)
  const opened = await newDatabase(asked)
  await opened.ingest.saveStores([...new Set(jobs.map(({ store }) => store))], Date.now(), true)
  await opened.ingest.register(jobs.map(({ transcript }) => transcript))
  let [bytes, entries] = [0, 0]
  const before = process.cpuUsage()
  await runImport(opened, jobs, judgeFor(asked, jobs), (report) => {
    bytes += report.bytes
    entries += report.entries
  })
  const { user, system } = process.cpuUsage(before)
  opened.close()
  return { cpuMs: (user + system) / 1000, bytes, entries }
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
): Promise<void> {
  const reader = createStoreReader()
  return importJobs(() => reader, opened.ingest, jobs, onBatch, { judge })
}

function judgeFor({ withFindings }: ColdImport, jobs: readonly ImportJob[]): FindingJudge | null {
  return withFindings ? importJudge(NO_PRICES, runtimesOf(jobs.map(({ store }) => store))) : null
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
      for await (const { store, transcript } of labSessions(root)) jobs.push({ store, transcript })
    return jobs
  }
  const reader = createStoreReader()
  const { stores } = await discoverStores({ env: {}, home: roots[0] ?? '', only: [...roots] })
  for (const store of stores)
    for await (const transcript of reader.list(store)) jobs.push({ store, transcript })
  return jobs
}

/** Lines that are appended one by one: some to warm up, and those that are measured. */
const [WARM_UP, LINES] = [100, 400]

/** Imports a store of one session, then line after line of it. Processor time of one appended line, in milliseconds. */
export async function importAppended(asked: ColdImport & { readonly file: string }): Promise<number> {
  const jobs = await jobsOf(asked)
  const opened = await newDatabase(asked)
  await opened.ingest.saveStores([...new Set(jobs.map(({ store }) => store))], Date.now(), true)
  await opened.ingest.register(jobs.map(({ transcript }) => transcript))
  const ofAll = () => undefined
  const judge = judgeFor(asked, jobs)
  await runImport(opened, jobs, judge, ofAll)
  const lines = readFileSync(asked.file, 'utf8').trimEnd().split('\n').slice(-200)
  let parent = idOf(lines.at(-1) ?? '')
  let spent = 0
  for (let i = 0; i < WARM_UP + LINES; i++) {
    const id = `bench${i}`
    appendFileSync(asked.file, `${renamed(lines[i % lines.length] ?? '', id, parent)}\n`)
    parent = id
    const [job] = await jobsOf(asked)
    if (job === undefined) throw new Error(`${asked.file} is not there any more`)
    const before = process.cpuUsage()
    await runImport(opened, [job], judge, ofAll)
    const { user, system } = process.cpuUsage(before)
    if (i >= WARM_UP) spent += user + system
  }
  opened.close()
  return spent / 1000 / LINES
}

/** A line once more, at the end of the conversation. */
function renamed(line: string, id: string, parentId: string | undefined): string {
  return JSON.stringify({ ...JSON.parse(line), id, parentId })
}

function idOf(line: string): string | undefined {
  const { id } = JSON.parse(line) as { id?: string }
  return id
}
