import { randomBytes } from 'node:crypto'
import type { Milliseconds } from '../../core/units/units'
import { withFullStop } from '../../core/words/full-stop'
import { reasonOf } from '../../core/words/reason-of'
import type {
  HeldLock,
  LockOptions,
  LockOwner,
  LockResult,
  SessionLocks,
  StaleReason,
} from '../../engine/write/lock-ports'
import { errorCode } from '../files/regular-file'
import { type HeldLockFile, LockTable } from './held-locks'
import { lockOwner, staleReason } from './judge-lock'
import { createLock, type LockSnapshot, lockFileOf, readLock, removeStaleLock } from './lock-file'
import { LOCK_TIMES, type LockTimes } from './lock-times'
import { type ProcessTable, systemProcesses } from './process-table'

export type LockSetup = {
  /** The same for all files, or by file. */
  readonly times?: LockTimes | ((file: string) => LockTimes)
  readonly processes?: ProcessTable
  /** Milliseconds since the epoch. */
  readonly now?: () => number
  /** Calls back every `ms` until the returned function is called; keeps no process alive. */
  readonly every?: (ms: number, run: () => void) => () => void
}

type Removed = HeldLock['removed'][number]

/** Between two checks of another owner's lock. Milliseconds. */
const POLL = { least: 50, most: 1000 }
const WATCHDOG_MS = 60_000

/** One table for the whole process: parts of it may be bundled apart, and each of those has its own modules. */
const TABLE = Symbol.for('plimsoll.held-locks')

/**
 * The `.jsonl.lock` protocol of OpenClaw's file era, both generations (lib/docs/openclaw.md#locks): they wait for our
 * locks and we for theirs. Where the system does not tell when a process started (Windows), a number that was given to
 * another process is not recognised, and its lock is waited for until that process ends.
 */
export function sessionLocks(setup: LockSetup = {}): SessionLocks {
  return new FileLocks(setup)
}

class FileLocks implements SessionLocks {
  private readonly times: (file: string) => LockTimes
  private readonly processes: ProcessTable
  private readonly now: () => number
  private readonly every: NonNullable<LockSetup['every']>
  private readonly table = processTable()
  private stopWatchdog: (() => void) | null = null

  constructor(setup: LockSetup) {
    const times = setup.times ?? LOCK_TIMES
    this.times = typeof times === 'function' ? times : () => times
    this.processes = setup.processes ?? systemProcesses
    this.now = setup.now ?? Date.now
    this.every = setup.every ?? unattended
  }

  async acquire(file: string, options: LockOptions): Promise<LockResult> {
    try {
      const lockFile = lockFileOf(file)
      if (options.within !== undefined) return await this.nest(lockFile, options.within)
      return await this.wait(lockFile, options)
    } catch (error) {
      return { held: false, reason: 'failed', problem: explain(error, file) }
    }
  }

  async owner(file: string): Promise<LockOwner | null> {
    try {
      const lockFile = lockFileOf(file)
      const lock = readLock(lockFile)
      if (lock === null || this.judge(lockFile, lock) !== null) return null
      return lockOwner(lockFile, lock, this.processes)
    } catch (error) {
      // Without a folder there is no lock; what cannot be read may be one.
      if (errorCode(error) === 'ENOENT') return null
      return { pid: null, since: null, command: null, via: 'lock', evidence: explain(error, file) }
    }
  }

  private async wait(lockFile: string, options: LockOptions): Promise<LockResult> {
    const removed: Removed[] = []
    // Real time, not the injected clock: it is a wait of the caller, not an age.
    const end = performance.now() + options.waitMs
    let reported: string | null = null
    for (let attempt = 1; ; attempt++) {
      if (options.signal?.aborted) return { held: false, reason: 'stopped' }
      const lock = this.tryOnce(lockFile, removed, options.maxLockMs)
      if (lock === 'again') continue
      if ('takenAt' in lock) return { held: true, lock: this.hold(lock, removed) }
      const owner = lockOwner(lockFile, lock, this.processes)
      const left = end - performance.now()
      if (left <= 0) return { held: false, reason: 'busy', owner }
      if (reported !== lock.text) options.onWait?.(owner)
      reported = lock.text
      const pause = Math.min(left, POLL.most, POLL.least * attempt)
      await this.table.pause(lockFile, pause, options.signal)
    }
  }

  /** The lock, or the one that is in the way, or `again` when that one is gone by now. */
  private tryOnce(
    lockFile: string,
    removed: Removed[],
    maxHoldMs = this.times(lockFile).maxHoldMs,
  ): HeldLockFile | LockSnapshot | 'again' {
    const found = readLock(lockFile)
    if (found === null) return this.create(lockFile, maxHoldMs) ?? 'again'
    const reason = this.judge(lockFile, found)
    if (reason === null) return found
    const owner = lockOwner(lockFile, found, this.processes)
    if (removeStaleLock(lockFile, found, this.asideOf(lockFile))) removed.push({ owner, reason })
    return 'again'
  }

  private create(lockFile: string, maxHoldMs: Milliseconds): HeldLockFile | null {
    const takenAt = this.now()
    const starttime = this.processes.startTicks(this.processes.pid)
    const payload = {
      pid: this.processes.pid,
      createdAt: new Date(takenAt).toISOString(),
      maxHoldMs,
      ...(starttime === null ? {} : { starttime }),
    }
    this.table.prepare(this.processes)
    try {
      const text = `${JSON.stringify(payload, null, 2)}\n`
      const snapshot = createLock(lockFile, text, this.asideOf(lockFile))
      if (snapshot === null) return null
      const lock: HeldLockFile = { lockFile, snapshot, takenAt, maxHoldMs, count: 1 }
      this.table.add(lock)
      this.stopWatchdog ??= this.every(WATCHDOG_MS, () => this.watch())
      return lock
    } finally {
      this.table.abandon()
    }
  }

  /** A path beside the lock that nothing else uses. */
  private asideOf(lockFile: string): string {
    return `${lockFile}.${this.processes.pid}-${randomBytes(6).toString('hex')}.stale`
  }

  private watch(): void {
    this.table.expire(this.now())
    this.restWatchdog()
  }

  private restWatchdog(): void {
    if (this.table.size > 0) return
    this.stopWatchdog?.()
    this.stopWatchdog = null
  }

  private async nest(lockFile: string, outer: HeldLock): Promise<LockResult> {
    const lock = this.table.get(lockFile)
    if (lock === undefined || outer.lockFile !== lockFile || !(await outer.stillHeld())) {
      return {
        held: false,
        reason: 'failed',
        problem: `${lockFile} is not held any more; nothing was written`,
      }
    }
    lock.count++
    return { held: true, lock: this.hold(lock, []) }
  }

  private hold(lock: HeldLockFile, removed: readonly Removed[]): HeldLock {
    let released = false
    return {
      lockFile: lock.lockFile,
      removed,
      stillHeld: async () => !released && this.table.check(lock, this.now()),
      release: async () => {
        if (released) return
        released = true
        lock.count--
        if (lock.count === 0) this.table.remove(lock)
        this.restWatchdog()
      },
    }
  }

  private judge(lockFile: string, lock: LockSnapshot): StaleReason | null {
    const held = this.table.get(lockFile)
    const heldHere = held !== undefined && held.snapshot.text === lock.text
    return staleReason(lock, {
      now: this.now(),
      times: this.times(lockFile),
      processes: this.processes,
      heldHere,
    })
  }
}

function processTable(): LockTable {
  const place = globalThis as { [TABLE]?: LockTable }
  place[TABLE] ??= new LockTable()
  return place[TABLE]
}

function unattended(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms)
  timer.unref()
  return () => clearInterval(timer)
}

const ADVICE: { readonly [code: string]: string } = {
  ENOENT: 'its folder is not there (any more)',
  ENOTDIR: 'a part of its path is not a folder',
  EACCES: 'no permission to make or remove files in its folder. Run Plimsoll as the user who owns the store',
  EPERM: 'no permission to make or remove files in its folder. Run Plimsoll as the user who owns the store',
  EROFS: 'the folder is on a read-only file system',
  ENOSPC: 'the disk is full. Free some space and try again',
  EDQUOT: 'the disk quota is used up. Free some space and try again',
}

function explain(error: unknown, file: string): string {
  const why = ADVICE[errorCode(error) ?? ''] ?? reasonOf(error)
  return `${file} cannot be locked: ${withFullStop(why)} Nothing was changed.`
}
