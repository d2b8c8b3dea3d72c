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
  /** Fingerprints that were taken while they were found; by store id. */
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

/** How much may come before other work: what a first page shows, and no more than a moment's work. */
type First = { readonly sessions: number; readonly bytes: Bytes }
/** Before the other stores are even listed, which takes a second for some ten thousand sessions. */
const BEFORE_LISTING: First = { sessions: 4, bytes: 4 * 1024 * 1024 }
/** Before all of them are entered into the list. */
const BEFORE_THE_REST: First = { sessions: 16, bytes: 12 * 1024 * 1024 }

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
  const { clock, database } = context
  const start = clock.now()
  await database.saveStores(stores, start, which === 'all')
  const run = new ImportRun(context, onProgress, onBatch, signal)
  const { tally } = run
  const plans: StorePlan[] = []
  const readable = stores.filter(isReadable)
  for (const store of readable) {
    if (signal?.aborted) break
    const plan = await planImport(context, store, fingerprints?.get(store.id))
    plans.push(plan)
    if (plans.length < readable.length && tally.changed.size === 0)
      await run.importNewest([plan], BEFORE_LISTING)
  }
  run.know(plans)
  await run.importNewest(plans, BEFORE_THE_REST)
  for (const plan of plans) {
    await run.register(plan.fresh)
    if (plan.gone.length > 0) {
      tally.add(await database.markGone(plan.store.id, plan.gone))
      for (const id of plan.gone) tally.changed.add(id)
    }
  }
  await run.importNewest(plans, null)
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

/** Imports parts of what is planned, the newest first, each transcript once. */
class ImportRun {
  readonly tally = new Tally()
  private readonly context: IngestContext
  private readonly onProgress: IngestOptions['onProgress']
  private readonly onBatch: IngestOptions['onBatch']
  private readonly signal: AbortSignal | undefined
  private readonly registered = new Set<FoundTranscript>()
  private readonly begun = new Set<FoundTranscript>()
  /** null while not all stores are listed: nothing is said before. */
  private all: { readonly sessions: number; readonly bytes: Bytes } | null = null

  constructor(
    context: IngestContext,
    onProgress: IngestOptions['onProgress'],
    onBatch: IngestOptions['onBatch'],
    signal: AbortSignal | undefined,
  ) {
    this.context = context
    this.onProgress = onProgress
    this.onBatch = onBatch
    this.signal = signal
  }

  /** From now on it is known how much there is. */
  know(plans: readonly StorePlan[]): void {
    const jobs = plans.flatMap(({ jobs }) => jobs)
    this.all = { sessions: jobs.length, bytes: jobs.reduce((sum, job) => sum + sourceBytes(job), 0) }
    if (jobs.length > 0) this.say()
  }

  /** Enters those into the list that are not in it yet. */
  async register(fresh: readonly FoundTranscript[]): Promise<void> {
    const left = fresh.filter((transcript) => !this.registered.has(transcript))
    for (let i = 0; i < left.length && !this.signal?.aborted; i += REGISTER_AT_ONCE) {
      const some = left.slice(i, i + REGISTER_AT_ONCE)
      this.tally.add(await this.context.database.register(some))
      for (const transcript of some) this.registered.add(transcript)
    }
  }

  /** @param first null: all that is left, which must be in the list */
  async importNewest(plans: readonly StorePlan[], first: First | null): Promise<void> {
    if (this.signal?.aborted) return
    const left = plans.flatMap(({ jobs }) => jobs.filter(({ transcript }) => !this.begun.has(transcript)))
    // What changed last is wanted first.
    left.sort((a, b) => b.transcript.stamp.mtimeMs - a.transcript.stamp.mtimeMs)
    const jobs = first === null ? left : left.slice(0, countWithin(left, first))
    const ones = new Set(jobs.map(({ transcript }) => transcript))
    for (const transcript of ones) this.begun.add(transcript)
    if (first !== null)
      await this.register(plans.flatMap(({ fresh }) => fresh.filter((transcript) => ones.has(transcript))))
    await this.context.executor.run(jobs, (report) => this.take(report), this.signal)
  }

  private take(report: ImportBatchReport): void {
    this.tally.addBatch(report)
    this.say()
    this.onBatch?.(report)
  }

  private say(): void {
    const { all, tally } = this
    if (all === null) return
    const { finished, bytes: bytesRead, entries } = tally
    this.onProgress?.({ ...all, finished: finished.size, bytesRead, entries })
  }
}

/** How many of the jobs fit; the first always does. */
function countWithin(jobs: readonly ImportJob[], most: First): number {
  let bytes = 0
  const end = jobs.findIndex((job, i) => {
    bytes += sourceBytes(job)
    return i > 0 && (i >= most.sessions || bytes > most.bytes)
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
