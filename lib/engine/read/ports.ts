import type { EntryFact } from '../../core/transcript/entry'
import type { Sender } from '../../core/transcript/send-rules'
import type { IndexEntry } from '../../core/transcript/session-index'
import type { Milliseconds } from '../../core/units/units'

/** Milliseconds since the epoch. */
export interface Clock {
  now(): number
}

/** Runtimes whose sessions are read. */
export type StoreKind = Sender
export type StoreEra = 'jsonl' | 'sqlite'

/** A place that was examined, whether something was there or not. Empty screens print these. */
export type Probe = {
  readonly path: string
  readonly kind: StoreKind
  readonly found: boolean
  /** Why it was probed: a known place, the configuration, or the environment. */
  readonly why: 'known' | 'configured' | 'environment' | 'argument'
  /** Why it does not count although something is there, e.g. `EACCES: permission denied`. */
  readonly problem?: string
}

export type StoreState = 'ok' | 'empty' | 'missing' | 'unreadable' | 'locked' | 'newer'

/** A store that was found. One OpenClaw state folder can hold two: one of each era. */
export type FoundStore = {
  /** First 12 hex digits of SHA-256 over kind, era and real path of the root. */
  readonly id: string
  readonly kind: StoreKind
  readonly era: StoreEra
  readonly root: string
  readonly label: string
  readonly state: StoreState
  readonly problem?: string
}

/** A store as the database has it; see `StoreReader.fingerprint`. */
export type SeenStore = Pick<FoundStore, 'label' | 'state'> & {
  readonly problem: string | null
  /** As it was when all of the store had been read; null while something is left to do. */
  readonly fingerprint: string | null
}

/** `gone`: no longer in its store, and read from the archive. */
export type TranscriptState = 'live' | 'reset' | 'deleted' | 'backup' | 'checkpoint' | 'imported' | 'gone'

/** One transcript of a store, before any of it is read. */
export type FoundTranscript = {
  /** First 16 hex digits of SHA-256 over store id and source (path, or database path and session id). */
  readonly id: string
  readonly storeId: string
  readonly sessionId: string
  readonly key: string | null
  readonly agent: string | null
  readonly path: string
  readonly state: TranscriptState
  /** Cheap fingerprint of the source: unchanged means that nothing needs to be read. */
  readonly stamp: SourceStamp
  readonly index: IndexEntry | null
  /**
   * Windows in tokens by model id (and by `provider/id`), from the runtime's own model catalogue. Shared by all of a
   * store.
   */
  readonly windows?: { readonly [model: string]: number }
  /** Set when the source cannot be read (no permission, not a regular file …). */
  readonly problem?: string
}

/**
 * What one `stat` (or one query) says about a source. Bytes and milliseconds; for SQLite `size` is the number of rows.
 */
export type SourceStamp = {
  readonly dev: number
  readonly ino: number
  readonly size: number
  readonly mtimeMs: Milliseconds
}

/** How far a transcript was read. Continues exactly there if the source still begins with what was read. */
export type Cursor = SourceStamp & {
  /** Byte after the last whole line that was taken; for SQLite the next row's seq. */
  readonly offset: number
  /** Lines and entries taken so far. */
  readonly line: number
  readonly seq: number
  /** Hash of the last bytes before `offset` (up to 4 KiB), to tell growth from replacement. */
  readonly tailHash: string
}

export type ReadBatch = {
  readonly facts: readonly EntryFact[]
  /** Text to index for search, one per fact, bounded in length; '' when there is nothing to search. */
  readonly texts: readonly string[]
  /** Where to go on after these facts. */
  readonly cursor: Cursor
  /** Bytes read from the source for this batch. */
  readonly bytesRead: number
}

/** The reading did not begin at the cursor because the source is another one now (replaced, truncated). */
export type ReadStart = { readonly restarted: boolean; readonly reason?: string }

/** Where an entry is in its source, and which one is expected there. */
export type EntryPlace = Pick<EntryFact, 'offset' | 'bytes' | 'seq' | 'piece'> & {
  readonly id?: string | null
  /** The line of its file is wanted as it is, where entries are made of lines of another runtime. */
  readonly asWritten?: true
}

/** What a reading is asked for besides what it always tells. */
export type ReadWanted = {
  /** `EntryFact.size` and `EntryFact.important` of every message. */
  readonly sizes?: boolean
  /** False: `ReadBatch.texts` may hold nothing, which takes less time. */
  readonly texts?: boolean
  /** `EntryFact.marks`: what findings compare texts by. */
  readonly marks?: boolean
}

/** One runtime's way of keeping sessions, read-only. */
export interface StoreReader {
  /**
   * Lists transcripts with one directory listing and one stat each; nothing else is read but the index.
   * Throws a `SourceProblem` after the last transcript when a part of the store could not be listed: what is absent
   * then is not gone.
   */
  list(store: FoundStore): AsyncIterable<FoundTranscript>
  /**
   * Fingerprint of all that finding and listing draw on, at the price of one stat per file: while it is the same,
   * nothing has changed. Null when it cannot be known so cheaply.
   */
  fingerprint?(store: FoundStore): string | null
  /**
   * Reads what is new after `cursor` (all, when null), in batches. Checks the tail hash first; on a mismatch it starts
   * over and says so in `onStart`. A torn last line is left for the next time. A line that cannot be parsed is a fact
   * of type `unreadable`. The last batch may hold no facts but a cursor with a newer stamp. Throws a `SourceProblem`
   * when the source cannot be read (on); the batches before it are valid.
   */
  read(
    store: FoundStore,
    transcript: FoundTranscript,
    cursor: Cursor | null,
    onStart: (start: ReadStart) => void,
    wanted?: ReadWanted,
  ): AsyncIterable<ReadBatch>
  /**
   * The raw text of one entry, by the place a fact names. Throws a `SourceProblem` when no whole entry is there
   * any more, or (with `id`) another one.
   */
  source(store: FoundStore, transcript: FoundTranscript, place: EntryPlace): Promise<string>
  /**
   * The raw texts of many entries, in the order given, where that costs less than asking for each separately. Throws
   * like `source`, after those that could be read.
   */
  texts?(store: FoundStore, transcript: FoundTranscript, places: readonly EntryPlace[]): AsyncIterable<string>
  /**
   * The bytes of a transcript that is a file, from byte `from` up to byte `to` (its end, when left out), in order. Each
   * piece is valid until the next one is asked for. Throws a `SourceProblem` when the file cannot be read.
   */
  bytes?(
    store: FoundStore,
    transcript: FoundTranscript,
    from?: number,
    to?: number,
  ): AsyncIterable<Uint8Array>
}
