import type { LockOwner } from './lock-ports'
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
  readonly kind: 'openclaw' | 'pi'
}

export type WaitOptions = {
  /** How long to wait for a lock, in milliseconds. */
  readonly waitMs: number
  readonly onWait?: (owner: LockOwner) => void
  readonly signal?: AbortSignal
}

/** Replaces a whole transcript. Nothing here holds it in memory. */
export type ReplaceRequest = {
  readonly intent: WriteIntent
  readonly target: WriteTarget
  /** The file that the plan was made from. */
  readonly expected: FileState
  /** Makes the new bytes from the old ones, which it may read as often as it needs. */
  readonly produce: (read: () => AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>
  /** Looks at what was written; answers what is wrong with it, or null. */
  readonly verify?: (read: () => AsyncIterable<Uint8Array>) => Promise<string | null>
  readonly wait: WaitOptions
}

/** Adds whole lines at the end of a transcript with a single write. */
export type AppendRequest = {
  readonly intent: WriteIntent
  readonly target: WriteTarget
  readonly expected: FileState
  /** Without line ends; none of them may hold one. */
  readonly lines: readonly string[]
  readonly verify?: (read: () => AsyncIterable<Uint8Array>) => Promise<string | null>
  readonly wait: WaitOptions
}
