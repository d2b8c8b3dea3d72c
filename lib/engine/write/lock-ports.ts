import type { Milliseconds } from '../../core/units/units'
import type { StoreKind } from '../read/ports'
/** Who works with a session, as far as its lock file and the system tell. */
export type LockOwner = {
  /** null when the lock file does not say. */
  readonly pid: number | null
  /** Since when, in milliseconds; null when the lock file does not say. */
  readonly since: number | null
  /** The command line of the owner where the system tells it, shortened. */
  readonly command: string | null
  /**
   * `gateway`: a runtime that serves sessions; `run`: a turn in progress; `lock`: the lock file only; `recent`: no process is
   * seen, but the file was written a moment ago.
   */
  readonly via: 'lock' | 'gateway' | 'run' | 'recent'
  /** The lock file, or what else betrayed the owner (a port, a process). */
  readonly evidence: string
}

/** Why a lock that was found does not count any more. A lock of a process that lives is never too old. */
export type StaleReason =
  | 'missing-pid'
  | 'dead-pid'
  | 'recycled-pid'
  /** Nothing readable in it long after it was made. */
  | 'unreadable'
  /** It names this process, which does not have the lock. */
  | 'not-ours'

export type LockOptions = {
  /** How long to wait for another owner, in milliseconds; 0: not at all. */
  readonly waitMs: Milliseconds
  /** Called when waiting begins, and again whenever the owner changes. */
  readonly onWait?: (owner: LockOwner) => void
  readonly signal?: AbortSignal
  /** How long it may last, in milliseconds; left out: as long as the store's runtime allows. */
  readonly maxLockMs?: Milliseconds
  /**
   * A lock of the same transcript that the caller is working under: the new one is nested in it, and the lock stays
   * until the last of them is released. Without it, a second taker of the same process waits like any other.
   */
  readonly within?: HeldLock
}

/** The right to write one transcript, until `release`. */
export type HeldLock = {
  readonly lockFile: string
  /** Locks that were in the way and removed because they were stale, with the reason. */
  readonly removed: readonly { readonly owner: LockOwner; readonly reason: StaleReason }[]
  /**
   * False once the lock was lost: kept too long, or removed or replaced by another hand. Ask right before each write;
   * after a false answer nothing may be written any more.
   */
  stillHeld(): Promise<boolean>
  /** Releases this lock; the lock file goes with the last one, if it is still ours. Again: nothing happens. */
  release(): Promise<void>
}

export type LockResult =
  | { readonly held: true; readonly lock: HeldLock }
  /**
   * `busy`: another owner has it; `stopped`: the signal; `failed`: the lock file cannot be made or removed (a
   * sentence).
   */
  | { readonly held: false; readonly reason: 'busy'; readonly owner: LockOwner }
  | { readonly held: false; readonly reason: 'stopped' }
  | { readonly held: false; readonly reason: 'failed'; readonly problem: string }

/** The lock that runtimes and we take before a transcript is written (`<file>.jsonl.lock`). */
export interface SessionLocks {
  acquire(file: string, options: LockOptions): Promise<LockResult>
  /** Its owner, without taking it or writing anything; null when it is free (a stale lock has no owner). */
  owner(file: string): Promise<LockOwner | null>
}

/** Tells whether a process works with a session besides what its lock says: a live gateway, a running turn. */
export interface LiveOwners {
  /** null when no owner is found. `file` is the transcript; its store's root and kind are given. */
  find(session: {
    readonly file: string
    readonly root: string
    readonly kind: StoreKind
  }): Promise<LockOwner | null>
}
