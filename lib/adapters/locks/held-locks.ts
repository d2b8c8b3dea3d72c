import type { Milliseconds } from '../../core/units/units'
import { showClientSign } from './client-sign'
import { type LockSnapshot, readLock, removeOwnLock, sameLock } from './lock-file'
import type { ProcessTable } from './process-table'

/** A lock that this process has. */
export type HeldLockFile = {
  readonly lockFile: string
  readonly snapshot: LockSnapshot
  /** When it was taken, and how long it may last. Milliseconds. */
  readonly takenAt: Milliseconds
  readonly maxHoldMs: Milliseconds
  /** How many callers share it. */
  count: number
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGQUIT', 'SIGABRT'] as const

/** The locks of this process. They go with it, whatever ends it, but for a kill that cannot be noticed. */
export class LockTable {
  private readonly held = new Map<string, HeldLockFile>()
  /** Callers of this process that wait for a lock, the first to come first. */
  private readonly waiting = new Map<string, (() => void)[]>()
  private takeOffLook: (() => void) | null = null
  private readonly onExit = () => this.removeAll()
  private readonly onSignal = (signal: NodeJS.Signals) => {
    this.removeAll()
    // There is no other listener: the signal does what it would have done without us.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
  }

  get(lockFile: string): HeldLockFile | undefined {
    return this.held.get(lockFile)
  }

  /** To be called before a lock is made, so that no process sees it beside a process that looks strange. */
  prepare(processes: ProcessTable): void {
    this.takeOffLook ??= showClientSign(processes)
  }

  /** To be called when no lock came of it. */
  abandon(): void {
    if (this.held.size > 0) return
    this.takeOffLook?.()
    this.takeOffLook = null
  }

  add(lock: HeldLockFile): void {
    if (this.held.size === 0) this.listen()
    this.held.set(lock.lockFile, lock)
  }

  get size(): number {
    return this.held.size
  }

  /** Whether it is still in force: neither too old at `now` nor taken away. What is lost is forgotten. */
  check(lock: HeldLockFile, now: Milliseconds): boolean {
    if (this.held.get(lock.lockFile) !== lock) return false
    if (now - lock.takenAt > lock.maxHoldMs) {
      this.remove(lock)
      return false
    }
    if (isThere(lock)) return true
    this.forget(lock)
    return false
  }

  /** Removes its file, if that is still the one we made. */
  remove(lock: HeldLockFile): void {
    if (this.held.get(lock.lockFile) !== lock) return
    this.forget(lock)
    try {
      removeOwnLock(lock.lockFile, lock.snapshot)
    } finally {
      // One at a time: the others would only find it taken again.
      this.waiting.get(lock.lockFile)?.[0]?.()
    }
  }

  /**
   * Waits for `ms`; for less when this process lets go of a lock on the file, if no other caller waits longer for that, or when
   * `signal` says so. Locks of other processes have to be looked for.
   */
  async pause(lockFile: string, ms: Milliseconds, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return
    const queue = this.waiting.get(lockFile) ?? []
    this.waiting.set(lockFile, queue)
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        queue.splice(queue.indexOf(end), 1)
        if (queue.length === 0) this.waiting.delete(lockFile)
        resolve()
      }
      const timer = setTimeout(end, ms)
      signal?.addEventListener('abort', end, { once: true })
      queue.push(end)
    })
  }

  /** Removes every lock that has lasted for too long. */
  expire(now: Milliseconds): void {
    for (const lock of [...this.held.values()])
      if (now - lock.takenAt > lock.maxHoldMs) tryTo(() => this.remove(lock))
  }

  private removeAll(): void {
    for (const lock of [...this.held.values()]) tryTo(() => this.remove(lock))
  }

  private forget(lock: HeldLockFile): void {
    this.held.delete(lock.lockFile)
    if (this.held.size > 0) return
    process.off('exit', this.onExit)
    for (const signal of SIGNALS) process.off(signal, this.onSignal)
    this.abandon()
  }

  private listen(): void {
    process.on('exit', this.onExit)
    // Windows knows only some of them.
    for (const signal of SIGNALS) tryTo(() => process.on(signal, this.onSignal))
  }
}

function isThere(lock: HeldLockFile): boolean {
  try {
    return sameLock(lock.snapshot, readLock(lock.lockFile))
  } catch {
    // Unreadable or something else by now: not ours in any case.
    return false
  }
}

/** For moments in which nothing can be done about a failure: a timer, a signal, the end of the process. */
function tryTo(work: () => void): void {
  try {
    work()
  } catch {
    // A lock that stays behind is recognised as stale by its next taker.
  }
}
