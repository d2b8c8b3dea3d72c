import type { StoreKind } from '../read/ports'
/** What a write was for. */
export type WriteKind =
  | 'repair'
  | 'compact'
  | 'recover'
  | 'reset'
  | 'maintain'
  | 'restore'
  | 'setting'
  | 'undo'

/** A file at one moment. Sizes in bytes; times in nanoseconds since the epoch, as decimal text (they exceed 2^53). */
export type FileState = {
  readonly dev: string
  readonly ino: string
  readonly size: number
  readonly mtimeNs: string
  /** Permission bits. */
  readonly mode: number
  readonly uid: number
  readonly gid: number
  /** SHA-256 of the bytes, hex. */
  readonly hash: string
}

/** One file that a write touched. `before` is null for a file that was made, `after` for one that was taken away. */
export type FileChange = {
  readonly path: string
  readonly before: FileState | null
  readonly after: FileState | null
  /** Where the bytes of `before` are kept; null when there were none. */
  readonly backup: string | null
}

/** What was really done. It is as a file beside the backups, as a line of the audit log and as a row. */
export type Receipt = {
  readonly id: string
  readonly kind: WriteKind
  /** Milliseconds since the epoch. */
  readonly at: number
  /** `cli`, `dashboard` or the name that a library user gave. */
  readonly actor: string
  /** For a reader: what was done and why, one sentence. */
  readonly reason: string
  /** Session key or id, where the write belongs to one. */
  readonly session: string | null
  /** Real path of the store's folder, and the runtime whose store it is. */
  readonly root: string
  readonly store: StoreKind
  readonly files: readonly FileChange[]
  /** Numbers and names about the plan that was applied, for display. */
  readonly summary: { readonly [name: string]: string | number | boolean | null }
  /** OpenClaw's own command did it, in a database that we only read: there are no files of it, and no way back. */
  readonly by?: 'openclaw'
  /**
   * `preparing`: backups are made and temporary files written, the store itself is as it was. `pending`: changes of the
   * store are under way; each `after` says what is to come. A crash leaves either, and recovery finishes it.
   */
  readonly state: 'preparing' | 'pending' | 'done' | 'failed' | 'undone'
  /** Id of the receipt that took this one back. */
  readonly undoneBy: string | null
  /** Id of the receipt that this one takes back. */
  readonly undoes: string | null
  /** Why it failed. */
  readonly problem: string | null
  /** The files were read again afterwards and held what was meant. */
  readonly verified: boolean
}

/**
 * Whether this installation wrote a receipt. `older`: it was written before receipts were signed. `not-proved`: it is
 * forged, was changed, or comes from elsewhere; `why` is a sentence.
 */
export type ReceiptProof =
  | { readonly kind: 'proved' | 'older' }
  | { readonly kind: 'not-proved'; readonly why: string }

/** Why nothing was written. Exit code 3 on the command line. */
export type WriteRefusal = {
  readonly code:
    | 'locked'
    | 'live'
    | 'changed'
    | 'missing'
    | 'not-a-file'
    | 'hard-linked'
    | 'outside'
    | 'read-only'
    | 'no-space'
    | 'no-backup'
    | 'not-proved'
    | 'not-supported'
    | 'expired'
    | 'unsafe'
    | 'stopped'
    | 'failed'
  /** For the operator: what, why, and what to do. */
  readonly message: string
}

export type WriteResult =
  /** `notes`: what the operator should know besides, e.g. that old backups were removed. */
  | { readonly kind: 'done'; readonly receipt: Receipt; readonly notes: readonly string[] }
  /** The file holds already what was to be written; nothing was written, and no receipt is. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly refusal: WriteRefusal }
