import type { RuntimeDeletion } from '../../archive/runtime-deletion'
import type { Sender } from '../../transcript/send-rules'
import type { Bytes, Milliseconds } from '../../units/units'
import type { FoundSign } from '../detector'

/** A transcript of a store, as its listing has it. */
export type StoreSession = {
  readonly transcriptId: string
  readonly sessionId: string
  readonly agent: string | null
  readonly path: string
  /** When its runtime deletes it, the next time it tidies up; null: not by its age. */
  readonly deletion: RuntimeDeletion | null
  /** The lock file beside it; null: there is none. */
  readonly lock: StoreLock | null
}

export type StoreLock = {
  /** Why it does not count any more, in words without a full stop; null: its owner lives. */
  readonly stale: string | null
  readonly since: Milliseconds
  readonly pid: number | null
  /** The owner's command, shortened; null: not known. */
  readonly command: string | null
}

/** Files of one kind in a folder. */
export type FolderGrowth = {
  readonly folder: string
  readonly files: number
  readonly bytes: Bytes
  /** Last write of the oldest one. */
  readonly oldest: Milliseconds
  /** There may be more: not all were counted. */
  readonly isCut: boolean
}

/** What is judged of a store as a whole, beside its transcripts. */
export type StoreFacts = {
  readonly storeId: string
  readonly runtime: Sender
  readonly now: Milliseconds
  readonly sessions: readonly StoreSession[]
  /** The archive is on: copies of all transcripts are kept. */
  readonly isArchived: boolean
  /** Transcripts that are past its own limits, of which the runtime only warns; null: none, or it takes them away itself. */
  readonly overdue: FolderGrowth | null
  /** Chunks of its cold storage that have expired and are still there; null: none. */
  readonly expired: FolderGrowth | null
  /** Notes of memory in its workspace; null: none, or not known. */
  readonly notes: FolderGrowth | null
}

/** A sign in a store, and the session that speaks for it. */
export type StoreSign = FoundSign & { readonly session: StoreSession }

/** Looks for one kind of finding in a store as it is now. */
export type StoreDetector = {
  readonly kind: string
  readonly title: string
  readonly about: string
  readonly signs: string
  readonly find: (facts: StoreFacts) => readonly StoreSign[]
}
