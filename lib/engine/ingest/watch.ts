import { isTranscriptName } from '../../core/transcript/formats/transcript-name'
import { reasonOf } from '../../core/words/reason-of'
import type { FoundStore, FoundTranscript } from '../read/ports'
import { type IngestContext, type IngestProgress, type IngestReport, ingest } from './ingest'
import type { ImportBatchReport, ImportJob } from './ingest-ports'
import {
  type FolderEvent,
  type FolderWatcher,
  WATCH_TIMING,
  type WatchedFiles,
  type WatchTiming,
} from './watch-ports'

export type WatchEvent =
  /** Rows were committed: sessions that changed, and the revision that they have now. */
  | { readonly kind: 'changed'; readonly sessions: readonly string[]; readonly revision: number }
  /** Everything was examined, at the start or because it was time. */
  | { readonly kind: 'swept'; readonly report: IngestReport; readonly folders: number }
  | { readonly kind: 'progress'; readonly progress: IngestProgress }
  /** Something does not work now; watching goes on and tries again. */
  | { readonly kind: 'problem'; readonly message: string }

export type WatchContext = Omit<IngestContext, 'mustList'> & {
  readonly files: WatchedFiles
  readonly discover: () => Promise<readonly FoundStore[]>
  readonly onEvent: (event: WatchEvent) => void
  /** Hears that a lock in a folder of a store came or went. */
  readonly onLock?: () => void
  /** Hears requests to look at everything at once; answers how to stop hearing them. */
  readonly onRescanRequest?: (listener: () => void) => () => void
  /** `these`: what is not discovered is none of our business. */
  readonly which?: 'all' | 'these'
  readonly timing?: WatchTiming
}

/** Keeps the database up to date with the stores until `signal` says to stop. */
export async function watchStores(context: WatchContext, signal: AbortSignal): Promise<void> {
  const watch = new StoreWatch(context, signal)
  try {
    await watch.run()
  } finally {
    watch.close()
  }
}

type Watched = {
  readonly store: FoundStore
  readonly transcripts: ReadonlyMap<string, FoundTranscript>
  readonly folders: ReadonlySet<string>
}

class StoreWatch {
  private readonly context: WatchContext
  private readonly ingestContext: IngestContext
  private readonly signal: AbortSignal
  private readonly timing: WatchTiming
  private readonly watcher: FolderWatcher
  private readonly stores = new Map<string, Watched>()
  /** Transcripts that were written to, and stores in which something appeared or left. */
  private readonly written = new Set<string>()
  private readonly unlisted = new Set<string>()
  /** When a store may be listed again. */
  private readonly restsUntil = new Map<string, number>()
  private nextSweep = 0
  private asked = false
  private blind = false
  private wake: () => void = () => undefined
  private readonly hearNoMore: () => void

  constructor(context: WatchContext, signal: AbortSignal) {
    this.context = context
    this.signal = signal
    this.timing = context.timing ?? WATCH_TIMING
    this.watcher = context.files.watcher((event) => this.note(event))
    this.ingestContext = {
      ...context,
      onListed: (...listed) => {
        const [store, transcripts] = listed
        // What is read from the archive has no file that could change.
        const there = transcripts.filter(({ state }) => state !== 'gone')
        this.takeListing(store, there)
        context.onListed?.(...listed)
      },
      mustList: ({ id }) => !this.stores.has(id),
    }
    signal.addEventListener('abort', () => this.wake(), { once: true })
    this.hearNoMore = context.onRescanRequest?.(() => this.rescan()) ?? (() => undefined)
  }

  async run(): Promise<void> {
    while (!this.signal.aborted) {
      try {
        if (this.asked || this.now() >= this.nextSweep) await this.sweep()
        else await this.catchUp()
      } catch (error) {
        const message = reasonOf(error)
        this.context.onEvent({ kind: 'problem', message })
        this.nextSweep = this.now() + this.timing.blindSweepMs
      }
      if (!this.signal.aborted) await this.sleep()
    }
  }

  close(): void {
    this.hearNoMore()
    this.watcher.close()
  }

  private now(): number {
    return this.context.clock.now()
  }

  private rescan(): void {
    // Separate from the time of the next sweep, which a sweep under way sets when it ends.
    this.asked = true
    this.wake()
  }

  /** Looks at everything: new stores, new transcripts, and what the system did not tell. */
  private async sweep(): Promise<void> {
    this.asked = false
    this.written.clear()
    this.unlisted.clear()
    const stores = await this.context.discover()
    const found = new Set(stores.map(({ id }) => id))
    for (const id of this.stores.keys()) if (!found.has(id)) this.stores.delete(id)
    const report = await this.ingest(stores, this.context.which)
    this.watchFolders()
    this.scheduleSweep()
    const folders = [...this.stores.values()].reduce((sum, { folders }) => sum + folders.size, 0)
    this.context.onEvent({ kind: 'swept', report, folders })
  }

  private scheduleSweep(): void {
    const blind = this.blind || this.stores.size === 0
    this.nextSweep = this.now() + (blind ? this.timing.blindSweepMs : this.timing.sweepMs)
  }

  /** Reads the transcripts that were written to and lists the stores in which something appeared. */
  private async catchUp(): Promise<void> {
    const paths = [...this.written]
    this.written.clear()
    const jobs = paths.flatMap((path) => this.jobFor(path) ?? [])
    if (jobs.length > 0) await this.context.executor.run(jobs, (batch) => this.tell(batch), this.signal)
    const now = this.now()
    const due = [...this.unlisted].filter((id) => (this.restsUntil.get(id) ?? 0) <= now)
    const stores = due.flatMap((id) => this.stores.get(id)?.store ?? [])
    for (const id of due) this.unlisted.delete(id)
    if (stores.length === 0) return
    await this.ingest(stores, 'these')
    this.watchFolders()
  }

  private async ingest(stores: readonly FoundStore[], which: 'all' | 'these' = 'all'): Promise<IngestReport> {
    const start = this.now()
    const report = await ingest(this.ingestContext, stores, {
      which,
      signal: this.signal,
      onProgress: (progress) => this.context.onEvent({ kind: 'progress', progress }),
      onBatch: (batch) => this.tell(batch),
    })
    const took = this.now() - start
    const rest = this.now() + Math.min(took * this.timing.restFactor, this.timing.longestRestMs)
    for (const { id } of stores) this.restsUntil.set(id, rest)
    const { gone, revision } = report
    if (gone.length > 0) this.context.onEvent({ kind: 'changed', sessions: gone, revision })
    return report
  }

  private jobFor(path: string): ImportJob | null {
    for (const { store, transcripts } of this.stores.values()) {
      const transcript = transcripts.get(path)
      if (transcript === undefined) continue
      const stamp = this.context.files.stamp(path)
      if (stamp !== null && transcript.problem === undefined)
        return { store, transcript: { ...transcript, stamp } }
      this.unlisted.add(store.id)
    }
    return null
  }

  private tell({ sessions, revision, problems }: ImportBatchReport): void {
    this.context.onEvent({ kind: 'changed', sessions, revision })
    for (const { problem } of problems) this.context.onEvent({ kind: 'problem', message: problem })
  }

  private takeListing(store: FoundStore, transcripts: readonly FoundTranscript[]): void {
    // Several transcripts of one database share its path; a note on it is about the store.
    const byPath = new Map(store.era === 'jsonl' ? transcripts.map((found) => [found.path, found]) : [])
    const folders = this.context.files.foldersOf(store, transcripts)
    const before = this.stores.get(store.id)?.folders
    this.stores.set(store.id, { store, transcripts: byPath, folders })
    // What appeared in a new folder before it was watched is seen by listing once more.
    if (before === undefined || [...folders].some((folder) => !before.has(folder)))
      this.unlisted.add(store.id)
  }

  private watchFolders(): void {
    const all = new Set([...this.stores.values()].flatMap(({ folders }) => [...folders]))
    const problems = this.watcher.watch(all)
    const [first] = problems
    if (first !== undefined && !this.blind) {
      const message = `${problems.length} of ${all.size} folders cannot be watched (${first.folder}: ${first.problem}). Changes there show up after ${this.timing.blindSweepMs / 1000} s.`
      this.context.onEvent({ kind: 'problem', message })
    }
    this.blind = first !== undefined
  }

  private note(event: FolderEvent): void {
    // Beside a transcript, and in no other folder, are its locks. They change nothing of what is read.
    if (LOCK.test(event.name)) this.context.onLock?.()
    const about = noteOf(event)
    if (about === null) return
    let known = false
    if (about === 'transcript') {
      for (const { transcripts } of this.stores.values()) known ||= transcripts.has(event.path)
      if (known) this.written.add(event.path)
    }
    // A known transcript that was made anew or removed is found out when it is read.
    if (!known) {
      for (const [id, { folders }] of this.stores) if (folders.has(event.folder)) this.unlisted.add(id)
    }
    this.wake()
  }

  /** Until something is to be done: after a first note a moment more, so that many notes are one piece of work. */
  private async sleep(): Promise<void> {
    const until = () => {
      if (this.asked || this.written.size > 0) return this.now()
      const rests = [...this.unlisted].map((id) => this.restsUntil.get(id) ?? 0)
      return Math.max(this.now(), Math.min(this.nextSweep, ...rests))
    }
    await this.pause(until() - this.now())
    if (!this.signal.aborted && (this.written.size > 0 || this.unlisted.size > 0)) {
      await this.pause(this.timing.gatherMs, false)
    }
  }

  /** @param wakes whether a note ends the pause early; stopping always does */
  private pause(ms: number, wakes = true): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.wake = () => undefined
        resolve()
      }
      const timer = setTimeout(done, Math.max(0, ms))
      this.wake = () => {
        if (wakes || this.signal.aborted) done()
      }
    })
  }
}

const CHANGING_INDEX = /^(sessions|openclaw|models|settings)\.json$|(\.sqlite|^opencode[\w.-]*\.db)(-wal)?$/
const LOCK = /\.lock$/
// Written beside what they guard or become; they come and go with every write.
const PASSING = /\.(lock|tmp|swp|part)$|\.tmp[.-]|-journal$|-shm$|~$/

/** What a note on a folder is about; null when it cannot matter. */
function noteOf({ kind, name }: FolderEvent): 'transcript' | 'store' | null {
  if (PASSING.test(name)) return null
  if (isTranscriptName(name)) return 'transcript'
  if (CHANGING_INDEX.test(name)) return 'store'
  return kind === 'appeared-or-left' ? 'store' : null
}
