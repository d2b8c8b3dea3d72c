import type { Milliseconds } from '../../core/units/units'
import type { FoundStore, FoundTranscript, SourceStamp } from '../read/ports'

/**
 * Something happened in a watched folder. `appeared-or-left`: a name was made, removed or moved; `changed`: what is
 * under it was written to.
 */
export type FolderEvent = {
  readonly kind: 'appeared-or-left' | 'changed'
  readonly path: string
  /** Last part of the path. */
  readonly name: string
  readonly folder: string
}

/** The system's notes on changes in folders. May lose some; a user of them checks the folders from time to time. */
export interface FolderWatcher {
  /** From now on exactly these folders. Answers those that cannot be watched, and why. */
  watch(folders: ReadonlySet<string>): readonly { readonly folder: string; readonly problem: string }[]
  close(): void
}

/** The file system as watching sees it. */
export interface WatchedFiles {
  watcher(onEvent: (event: FolderEvent) => void): FolderWatcher
  /** The stamp of a transcript file; null when it has gone. */
  stamp(path: string): SourceStamp | null
  /** The folders in which something of a store can change or appear. */
  foldersOf(store: FoundStore, transcripts: Iterable<FoundTranscript>): ReadonlySet<string>
}

export type WatchTiming = {
  /** How long to gather events before acting on them. */
  readonly gatherMs: Milliseconds
  /** How often to look at everything, for events that were lost. */
  readonly sweepMs: Milliseconds
  /** The same while some folders cannot be watched, there is no store, or something failed. */
  readonly blindSweepMs: Milliseconds
  /** After a store was listed, it is left alone for this many times as long as that took, within the limit. */
  readonly restFactor: number
  readonly longestRestMs: Milliseconds
}

export const WATCH_TIMING: WatchTiming = {
  gatherMs: 40,
  sweepMs: 45_000,
  blindSweepMs: 5_000,
  restFactor: 10,
  longestRestMs: 2_000,
}
