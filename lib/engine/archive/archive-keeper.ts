import type { ArchivedVersion } from '../../core/archive/archived-version'
import type { DeletionRule } from '../../core/archive/runtime-deletion'
import type { Bytes, Milliseconds } from '../../core/units/units'
import { reasonOf } from '../../core/words/reason-of'
import type { Clock, FoundStore, FoundTranscript } from '../read/ports'
import { SourceProblem } from '../read/source-problem'
import type { Hasher } from '../write/write-ports'
import type { ArchiveFolder, ArchiveSource, ArchiveSources } from './archive-ports'
import { ArchiveRoom } from './archive-room'
import { ArchiveFull, copyTranscript, sameStamp } from './copy-transcript'
import { Heirs } from './heirs'
import { pruneArchive, UnreadableCopy } from './prune-archive'

export type KeeperContext = {
  readonly folder: ArchiveFolder
  readonly sources: ArchiveSources
  readonly sha256: () => Hasher
  readonly clock: Clock
  readonly limits: { readonly quotaBytes: Bytes; readonly keepMs: Milliseconds }
  /** By which rule the runtime of a store deletes; null: by none that is known. */
  readonly deletionOf: (store: FoundStore) => DeletionRule | null
}

export type PassReport = {
  readonly copied: number
  /** What these copies took on disk. */
  readonly added: Bytes
  /** Ids of transcripts that are no longer in their store. */
  readonly gone: readonly string[]
  /** Sentences. */
  readonly problems: readonly string[]
}

/** A transcript that is written all the time is copied so often. Milliseconds. */
const REST_MS = 60_000
/** A file that was not written to for so long is read whole once. Milliseconds. */
const QUIET_MS = 3_600_000
/** So many blocks may be named by nothing before they are looked for, which takes a reading of all copies. */
const MOST_LEFT_BEHIND = 64

const NOTHING: PassReport = { copied: 0, added: 0, gone: [], problems: [] }

/** What is remembered of a copy. */
type Kept = Pick<
  ArchivedVersion,
  'store' | 'sessionId' | 'path' | 'state' | 'form' | 'stamp' | 'copiedAt'
> & {
  readonly isIndexed: boolean
  readonly isWhole: boolean
  isGone: boolean
}

type Listed = {
  readonly store: FoundStore
  /** Those that can be read. */
  readonly byId: ReadonlyMap<string, FoundTranscript>
  /** Ids of all. */
  readonly present: ReadonlySet<string>
}
type Job = {
  readonly store: FoundStore
  readonly transcript: FoundTranscript
  readonly before: Kept | undefined
}

/**
 * Keeps the archive in step with the stores: hears what was listed and what changed, and copies when `pass` is called.
 * One keeper for as long as a process reads the stores.
 */
export class ArchiveKeeper {
  private readonly context: KeeperContext
  private readonly listed = new Map<string, Listed>()
  /** Stores that were listed since the last pass; false: only a part of one could be. */
  private readonly unexamined = new Map<string, boolean>()
  private readonly changed = new Set<string>()
  /** Copies of which only what was added was read. */
  private readonly partly = new Set<string>()
  private kept: Map<string, Kept> | null = null
  private readonly room: ArchiveRoom
  private leftBehind = 0
  private generation = ''

  constructor(context: KeeperContext) {
    this.context = context
    this.room = new ArchiveRoom(context.folder, context.limits.quotaBytes)
  }

  /** @param isComplete false: what is absent may still be there */
  takeListing(store: FoundStore, transcripts: readonly FoundTranscript[], isComplete: boolean): void {
    const there = transcripts.filter(({ state }) => state !== 'gone')
    const readable = there.filter(({ problem }) => problem === undefined)
    this.listed.set(store.id, {
      store,
      byId: new Map(readable.map((found) => [found.id, found])),
      present: new Set(there.map(({ id }) => id)),
    })
    this.unexamined.set(store.id, isComplete)
  }

  /** Ids of transcripts that were written to since their store was listed. */
  takeChanged(ids: readonly string[]): void {
    for (const id of ids) this.changed.add(id)
  }

  /**
   * Copies what is new, the oldest first, since it is deleted first, and notes what has gone. What fails is reported and
   * tried again at the next pass.
   * @param eager also what was copied a moment ago
   */
  async pass({ eager = false, signal }: { eager?: boolean; signal?: AbortSignal } = {}): Promise<PassReport> {
    await this.noticeRemovals()
    if (this.unexamined.size === 0 && this.changed.size === 0 && !this.hasQuiet()) return NOTHING
    const done = await this.context.folder.alone(() => this.work(eager, signal))
    // Another process works on the archive; all of it waits for the next pass.
    return done === null ? NOTHING : done.value
  }

  private async work(eager: boolean, signal: AbortSignal | undefined): Promise<PassReport> {
    const problems: string[] = []
    this.kept ??= await this.load()
    const { kept } = this
    const shortage = await this.room.shortage()
    if (shortage !== null) return { ...NOTHING, problems: [shortage] }
    const before = this.room.added
    let copied = 0
    for (const job of this.jobs(kept, eager)) {
      if (signal?.aborted) break
      try {
        if (await this.copy(kept, job, signal)) copied++
        this.changed.delete(job.transcript.id)
      } catch (error) {
        if (signal?.aborted) break
        // It has gone since it was listed; the next listing says so.
        if (error instanceof SourceProblem && error.code === 'missing') this.changed.delete(job.transcript.id)
        else problems.push(`${job.transcript.path} is not in the archive: ${reasonOf(error)}`)
        // What is wrong with the archive itself is wrong for all.
        if (!(error instanceof SourceProblem)) break
      }
    }
    const gone: string[] = []
    for (const [id, isComplete] of signal?.aborted ? [] : this.unexamined) {
      gone.push(...(await this.noteGone(kept, id, isComplete)))
      this.unexamined.delete(id)
    }
    if (this.leftBehind > MOST_LEFT_BEHIND) {
      await this.sweep(0).catch((error: unknown) => {
        if (!(error instanceof UnreadableCopy)) throw error
        problems.push(`Nothing can be taken out of the archive: ${error.message}`)
      })
    }
    return { copied, added: this.room.added - before, gone, problems }
  }

  /** What another process took out is no longer remembered; what of it is still in a store is copied again. */
  private async noticeRemovals(): Promise<void> {
    const generation = await this.context.folder.generation()
    if (this.kept === null || generation === this.generation) return
    this.kept = null
    // An incomplete listing copies, and calls nothing gone.
    for (const id of this.listed.keys()) if (!this.unexamined.has(id)) this.unexamined.set(id, false)
  }

  private hasQuiet(): boolean {
    const now = this.context.clock.now()
    return [...this.partly].some((id) => {
      const one = this.kept?.get(id)
      return one !== undefined && isDueForWhole(one, now)
    })
  }

  /** Looks at all of the archive, once for as long as this keeper is used. */
  private async load(): Promise<Map<string, Kept>> {
    const { folder } = this.context
    const gone = new Set((await folder.marks()).map(({ id }) => id))
    const kept = new Map<string, Kept>()
    const named = new Set<string>()
    let used = 0
    for await (const found of folder.versions()) {
      if ('problem' in found) continue
      const { version, bytes } = found
      used += bytes
      for (const hash of version.blocks) named.add(hash)
      if (version.replacedAt === null) kept.set(version.id, keptOf(version, gone.has(version.id)))
    }
    this.generation = await folder.generation()
    this.leftBehind = 0
    for (const [hash, bytes] of await folder.blocks()) {
      used += bytes
      // What earlier processes left, which may have been short.
      if (!named.has(hash)) this.leftBehind++
    }
    this.room.reset(used)
    return kept
  }

  private jobs(kept: ReadonlyMap<string, Kept>, eager: boolean): Job[] {
    const now = this.context.clock.now()
    const jobs: Job[] = []
    const consider = (store: FoundStore, transcript: FoundTranscript, isChanged: boolean) => {
      const before = kept.get(transcript.id)
      if (before === undefined) jobs.push({ store, transcript, before })
      else if (isChanged || !sameStamp(before.stamp, transcript.stamp) || isDueForWhole(before, now)) {
        if (eager || now - before.copiedAt >= REST_MS) jobs.push({ store, transcript, before })
        else this.changed.add(transcript.id)
      }
    }
    const seen = new Set<string>()
    for (const [storeId, { store, byId }] of this.listed) {
      const transcripts = this.unexamined.has(storeId)
        ? byId.values()
        : [...new Set([...this.changed, ...this.partly])].flatMap((id) => byId.get(id) ?? [])
      for (const transcript of transcripts) {
        seen.add(transcript.id)
        consider(store, transcript, this.changed.has(transcript.id))
      }
    }
    for (const id of this.changed) if (!seen.has(id)) this.changed.delete(id)
    return jobs.sort((a, b) => a.transcript.stamp.mtimeMs - b.transcript.stamp.mtimeMs)
  }

  private async copy(kept: Map<string, Kept>, job: Job, signal?: AbortSignal): Promise<boolean> {
    const source = await this.context.sources.open(job.store, job.transcript)
    try {
      const whole = job.before !== undefined && isDueForWhole(job.before, this.context.clock.now())
      if (!whole && job.before !== undefined && sameStamp(source.stamp, job.before.stamp)) return false
      await this.copyFrom(kept, job, source, { whole, signal })
      return true
    } finally {
      source.close()
    }
  }

  private async copyFrom(
    kept: Map<string, Kept>,
    job: Job,
    source: ArchiveSource,
    how: { readonly whole: boolean; readonly signal: AbortSignal | undefined },
    mayPrune = true,
  ): Promise<void> {
    const { folder, sha256, clock } = this.context
    const { room } = this
    const io = {
      ...{ folder, sha256, clock, signal: how.signal },
      demandRoom: (bytes: Bytes) => room.demand(bytes),
      onAdded: (bytes: Bytes) => room.add(bytes),
    }
    const { id } = job.transcript
    try {
      const before = await folder.newest(id)
      const { version, leftBehind } = await copyTranscript(io, job, source, before, how.whole)
      kept.set(id, keptOf(version, kept.get(id)?.isGone ?? false))
      if (version.sha256 === null) this.partly.add(id)
      else this.partly.delete(id)
      if (leftBehind) this.leftBehind++
    } catch (error) {
      if (!(error instanceof ArchiveFull) || !mayPrune) throw error
      await this.sweep(source.stamp.size)
      await this.copyFrom(kept, job, source, how, false)
    }
  }

  /** Takes blocks away that nothing names, and, where it takes that to make room, what is older than it is kept. */
  private async sweep(bytes: Bytes): Promise<void> {
    const { limits } = this.context
    const goal = { kind: 'room', bytes: Math.min(bytes, limits.quotaBytes) } as const
    const { left } = await pruneArchive(this.context, { ...limits, goal, named: new Set() })
    this.leftBehind = 0
    this.generation = await this.context.folder.generation()
    this.room.reset(left)
  }

  private async noteGone(kept: Map<string, Kept>, storeId: string, isComplete: boolean): Promise<string[]> {
    const { folder } = this.context
    const listed = this.listed.get(storeId)
    if (listed === undefined) return []
    const back = [...kept].filter(([id, { isGone }]) => isGone && listed.present.has(id))
    await folder.removeMarks(back.map(([id]) => id))
    for (const [, one] of back) one.isGone = false
    if (!isComplete) return []
    const gone: string[] = []
    const heirs = new Heirs(listed.byId.values())
    for (const [id, one] of kept) {
      if (one.store.id !== storeId || one.isGone || listed.present.has(id)) continue
      const heir = heirs.of(one)
      if (heir === null) {
        await this.mark(id, one, listed.store)
        gone.push(id)
      } else if (kept.has(heir)) {
        // The same file under another name, which is kept by now.
        await folder.removeVersions([id])
        this.generation = await folder.generation()
        kept.delete(id)
      }
    }
    return gone
  }

  private async mark(id: string, one: Kept, store: FoundStore): Promise<void> {
    const { folder, clock, deletionOf } = this.context
    const at = clock.now()
    const { path, state, stamp, isIndexed } = one
    const due = deletionOf(store)?.({ path, state, mtimeMs: stamp.mtimeMs, isIndexed }) ?? null
    await folder.putMark({ id, storeId: store.id, at, rule: due !== null && due.at <= at ? due.rule : null })
    one.isGone = true
  }
}

function keptOf(version: ArchivedVersion, isGone: boolean): Kept {
  const { store, sessionId, path, state, form, stamp, copiedAt, index, sha256 } = version
  const facts = { store, sessionId, path, state, form, stamp, copiedAt }
  return { ...facts, isIndexed: index !== null, isWhole: sha256 !== null, isGone }
}

function isDueForWhole({ isWhole, stamp }: Kept, now: Milliseconds): boolean {
  return !isWhole && now - stamp.mtimeMs > QUIET_MS
}
