import type { Bytes } from '../../core/units/units'
import type { Clock, FoundStore, FoundTranscript } from '../read/ports'
import type { ImportBatchReport, ImportExecutor, ImportJob } from './ingest-ports'
import { type ImportContext, planImport, type StorePlan } from './plan-store'

/** What an import needs around it. */
export type IngestContext = ImportContext & { readonly clock: Clock; readonly executor: ImportExecutor }

export type IngestOptions = {
  /** `these`: there may be other stores, about which nothing is said. `all` (the default): others are missing. */
  readonly which?: 'all' | 'these'
  /** When looking for the stores began, so that it counts in `ms`; now, if nothing is said. */
  readonly since?: number
  /** Glances that were taken while they were found; by store id. */
  readonly fingerprints?: ReadonlyMap<string, string>
  readonly onProgress?: (progress: IngestProgress) => void
  readonly onBatch?: (report: ImportBatchReport) => void
  /** Stops after what is being written. */
  readonly signal?: AbortSignal
}

/** Called at the start and after every transaction. */
export type IngestProgress = {
  /** Sessions that have something new, and those of them that are read to their end. */
  readonly sessions: number
  readonly finished: number
  /** Bytes of the sources of these sessions, and those read so far (of a session that goes on, less are read). */
  readonly bytes: Bytes
  readonly bytesRead: number
  readonly entries: number
}

type StoreReport = {
  readonly storeId: string
  readonly root: string
  /** Transcripts in the store. */
  readonly sessions: number
  /** Those of them that had to be read. */
  readonly changed: number
  /** Sessions whose source has gone since the last import. */
  readonly gone: number
  readonly problem: string | null
}

export type IngestReport = {
  readonly stores: readonly StoreReport[]
  readonly entries: number
  readonly bytesRead: number
  /** Rows inserted or changed, all tables together. */
  readonly rows: number
  /** Of transcripts, and of stores that are left out, or of which something is. */
  readonly problems: readonly { readonly path: string; readonly problem: string }[]
  /** Stores that were left out, as nothing in them can be read. */
  readonly leftOut: number
  /** Ids of sessions that changed. */
  readonly changed: readonly string[]
  /** Those of them whose source has gone. */
  readonly gone: readonly string[]
  /** Highest revision given, 0 when nothing changed. */
  readonly revision: number
  /** From looking for the stores, if the caller said when that was, to the last row. */
  readonly ms: number
}

/** Sessions per transaction when new ones are entered into the list. */
const REGISTER_AT_ONCE = 2000

/** What is imported before all else: about what a first page shows, and no more than a moment's work. */
const FIRST_SESSIONS = 16
const FIRST_BYTES = 12 * 1024 * 1024

/**
 * Brings the database up to date with the stores. Work is proportional to what changed: unchanged transcripts cost
 * their listing only. A failing store or transcript is recorded with its reason, the rest goes on; only a failing
 * database ends it (rejects).
 */
export async function ingest(
  context: IngestContext,
  stores: readonly FoundStore[],
  { which = 'all', since, fingerprints, onProgress, onBatch, signal }: IngestOptions = {},
): Promise<IngestReport> {
  const { clock, database, executor } = context
  const start = clock.now()
  await database.saveStores(stores, start, which === 'all')
  const plans: StorePlan[] = []
  for (const store of stores) {
    if (isReadable(store)) plans.push(await planImport(context, store, fingerprints?.get(store.id)))
  }
  const tally = new Tally()
  // What changed last is wanted first.
  const jobs = plans.flatMap(({ jobs }) => jobs)
  jobs.sort((a, b) => b.transcript.stamp.mtimeMs - a.transcript.stamp.mtimeMs)
  const bytes = jobs.reduce((sum, job) => sum + sourceBytes(job), 0)
  const progress = () =>
    onProgress?.({
      sessions: jobs.length,
      finished: tally.finished.size,
      bytes,
      bytesRead: tally.bytes,
      entries: tally.entries,
    })
  const run = (some: readonly ImportJob[]) =>
    executor.run(
      some,
      (report) => {
        tally.addBatch(report)
        progress()
        onBatch?.(report)
      },
      signal,
    )
  const register = async (fresh: readonly FoundTranscript[]) => {
    for (let i = 0; i < fresh.length; i += REGISTER_AT_ONCE)
      tally.add(await database.register(fresh.slice(i, i + REGISTER_AT_ONCE)))
  }
  if (jobs.length > 0) progress()
  // A large store takes seconds to be entered into the list, and minutes to be read: its newest sessions wait for neither.
  const first = jobs.slice(0, countFirst(jobs))
  const firstOnes = new Set(first.map(({ transcript }) => transcript))
  await register(plans.flatMap(({ fresh }) => fresh.filter((transcript) => firstOnes.has(transcript))))
  await run(first)
  for (const plan of plans) {
    await register(plan.fresh.filter((transcript) => !firstOnes.has(transcript)))
    if (plan.gone.length > 0) {
      tally.add(await database.markGone(plan.store.id, plan.gone))
      for (const id of plan.gone) tally.changed.add(id)
    }
  }
  if (signal?.aborted !== true) await run(jobs.slice(first.length))
  const end = clock.now()
  for (const { store, problem, fingerprint, jobs, sessions } of plans) {
    const isWhole = problem === null && jobs.every(({ transcript }) => tally.finished.has(transcript.id))
    const whole = isWhole && fingerprint !== null ? { fingerprint, sessions } : null
    await database.saveStoreRead(store.id, end, problem, whole)
  }
  return {
    stores: plans.map(reportOf),
    entries: tally.entries,
    bytesRead: tally.bytes,
    rows: tally.rows,
    problems: [
      ...stores.flatMap(storeProblem),
      ...plans.flatMap(({ store, problem }) => (problem === null ? [] : [{ path: store.root, problem }])),
      ...[...tally.problems].map(([path, problem]) => ({ path, problem })),
    ],
    leftOut: stores.filter((store) => !isReadable(store)).length,
    changed: [...tally.changed],
    gone: plans.flatMap((plan) => plan.gone),
    revision: tally.revision,
    ms: end - (since ?? start),
  }
}

/** How many of the jobs come first; the newest always does. */
function countFirst(jobs: readonly ImportJob[]): number {
  let bytes = 0
  const end = jobs.findIndex((job, i) => {
    bytes += sourceBytes(job)
    return i > 0 && (i >= FIRST_SESSIONS || bytes > FIRST_BYTES)
  })
  return end === -1 ? jobs.length : end
}

function isReadable(store: FoundStore): boolean {
  return store.state === 'ok' || store.state === 'empty'
}

function storeProblem({ root, state, problem }: FoundStore): IngestReport['problems'] {
  if (problem !== undefined) return [{ path: root, problem }]
  return state === 'ok' || state === 'empty' ? [] : [{ path: root, problem: `${root} is ${state}.` }]
}

function reportOf({ store, sessions, jobs, gone, problem }: StorePlan): StoreReport {
  return { storeId: store.id, root: store.root, sessions, changed: jobs.length, gone: gone.length, problem }
}

/** For SQLite stores the stamp counts rows, which says nothing about bytes. */
function sourceBytes({ store, transcript }: ImportJob): number {
  return store.era === 'jsonl' ? transcript.stamp.size : 0
}

class Tally {
  readonly changed = new Set<string>()
  readonly finished = new Set<string>()
  readonly problems = new Map<string, string>()
  entries = 0
  bytes = 0
  rows = 0
  revision = 0

  add({ rows, revision }: { rows: number; revision: number }): void {
    this.rows += rows
    this.revision = Math.max(this.revision, revision)
  }

  addBatch(report: ImportBatchReport): void {
    this.add(report)
    this.entries += report.entries
    this.bytes += report.bytes
    for (const id of report.finished) this.finished.add(id)
    for (const id of report.sessions) this.changed.add(id)
    for (const { path, problem } of report.problems) this.problems.set(path, problem)
  }
}
