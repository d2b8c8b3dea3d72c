import type { Milliseconds } from '../../core/units/units'
import type { StoreKind } from '../read/ports'
import type { HeldLock, LockOwner } from './lock-ports'
import type { FileState, WriteKind } from './receipt'

/** What every write says about itself. */
export type WriteIntent = {
  readonly kind: WriteKind
  readonly actor: string
  readonly reason: string
  readonly session: string | null
  readonly summary: { readonly [name: string]: string | number | boolean | null }
}

/** The transcript that is written. */
export type WriteTarget = {
  readonly file: string
  /** Folder that the file must not leave, links followed. */
  readonly root: string
  readonly kind: StoreKind
}

export type WaitOptions = {
  /** How long to wait for a lock, in milliseconds. */
  readonly waitMs: Milliseconds
  readonly onWait?: (owner: LockOwner) => void
  readonly signal?: AbortSignal
  /** Locks of written files that the caller works under. */
  readonly within?: readonly HeldLock[]
}

/**
 * Looks at what is about to be in the file, before it does; answers what is wrong with it, or null. Afterwards the
 * file is read again and its hash compared with that of what was shown.
 */
export type Verify = (read: () => AsyncIterable<Uint8Array>) => Promise<string | null>

/** Replaces a whole transcript. Nothing here holds it in memory. */
export type ReplaceRequest = {
  readonly intent: WriteIntent
  readonly target: WriteTarget
  /** The file that the plan was made from. */
  readonly expected: FileState
  /** Makes the new bytes from the old ones, which it may read as often as it needs. */
  readonly produce: (read: () => AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>
  readonly verify?: Verify
  readonly wait: WaitOptions
}

/** One thing to do with one file. All paths are absolute. */
export type FileOperation =
  | {
      readonly op: 'replace'
      readonly file: string
      readonly expected: FileState
      readonly produce: ReplaceRequest['produce']
      readonly verify?: Verify
    }
  | {
      readonly op: 'append'
      readonly file: string
      readonly expected: FileState
      /** Whole lines with their ends. */
      readonly bytes: Uint8Array
      readonly verify?: Verify
    }
  /** Nothing may be there yet. `owner` only where it should be another than ours. */
  | {
      readonly op: 'create'
      readonly file: string
      readonly mode: number
      readonly owner?: { readonly uid: number; readonly gid: number }
      readonly produce: () => AsyncIterable<Uint8Array>
      readonly verify?: Verify
    }
  /** The bytes stay in the backup. */
  | { readonly op: 'remove'; readonly file: string; readonly expected: FileState }
  /** Another name in the same store, where nothing may be yet. */
  | { readonly op: 'move'; readonly file: string; readonly to: string; readonly expected: FileState }

/** Changes several files of a store under one receipt: all of them, or none. */
export type ChangeRequest = {
  readonly intent: WriteIntent
  readonly root: string
  readonly kind: StoreKind
  /** Applied in this order. No file may be named twice. */
  readonly operations: readonly FileOperation[]
  readonly wait: WaitOptions
}
