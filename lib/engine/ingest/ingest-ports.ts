import type { SessionFinding } from '../../core/findings/finding'
import type { Frame } from '../../core/tokens/frame'
import type { EntryFact } from '../../core/transcript/entry'
import type { DayTotals } from '../../core/transcript/fold/day-tally'
import type { FoldBoundary, FoldSnapshot, SessionTotals } from '../../core/transcript/fold/fold-step'
import type { ToolTotals } from '../../core/transcript/fold/tool-tally'
import type { Bytes, Milliseconds } from '../../core/units/units'
import type { Cursor, FoundStore, FoundTranscript, SeenStore } from '../read/ports'
import type { SavedSigns } from './growing-sessions'

/** What the database knows of a transcript; enough to see whether anything is to be done. */
export type KnownSession = {
  readonly id: string
  /** See `stampOf`; null while something is left to do. */
  readonly stamp: string | null
  readonly gone: boolean
}

/** A transcript whose file seems to be that of a known one which is not there any more. */
export type SessionMove = { readonly fromId: string; readonly transcript: FoundTranscript }

/** Where the last import of a transcript stopped. Rows of it exist exactly when there is a cursor. */
export type ImportCursor = {
  readonly cursor: Cursor | null
  readonly fold: FoldSnapshot | null
  /** See `setupKeyOf`: what frames were made with. */
  readonly setupKey: string | null
  /** Reads what detectors had gathered; null: nothing that could be gone on with. It is long, and seldom needed. */
  readonly readSigns: () => SavedSigns | null
  readonly problem: string | null
}

/** Rows of one session that belong into one transaction, together with how far they reach. */
export type SessionPart = {
  readonly transcript: FoundTranscript
  /** Delete what the session has so far, in the same transaction: the source is another one now. */
  readonly replace: boolean
  readonly facts: readonly EntryFact[]
  /** Text for the search index, one per fact, bounded; '' = none. */
  readonly texts: readonly string[]
  readonly frames: readonly Frame[]
  /** The last call of the part before, of which more is known now; its first record, and its frame. */
  readonly amended: { readonly fact: EntryFact; readonly frame: Frame } | null
  readonly boundaries: readonly FoldBoundary[]
  /** Days whose sums have changed since the last part, with their new sums. */
  readonly days: readonly DayTotals[]
  /** Tools that were used since the last part, with their new sums. */
  readonly tools: readonly ToolTotals[]
  /** null when nothing of the source could ever be read. */
  readonly progress: {
    readonly cursor: Cursor
    /** `FoldSnapshot` as JSON: fixed at this moment, whatever the fold does next. */
    readonly foldJson: string
    readonly setupKey: string
    readonly totals: SessionTotals
    /** `SavedSigns` as JSON; null: no findings are looked for, or what was gathered is kept in memory for now. */
    readonly signsJson: string | null
  } | null
  /** What was found in all that was read; null: it was not judged now, and what was found before stays. */
  readonly judged: { readonly findings: readonly SessionFinding[]; readonly at: Milliseconds } | null
  /** Why the source cannot be read (on). */
  readonly problem: string | null
  /** Set on the last part of an import that reached the end of its source. */
  readonly stamp: string | null
}

/**
 * A part in the form in which the database takes it. Its entries are in there and no more held themselves: packed, many
 * parts can wait for their transaction.
 */
export type PackedPart = Pick<SessionPart, 'transcript' | 'problem' | 'stamp'> & { readonly entries: number }

export type ImportWriteResult = {
  /** Highest revision given to a session of the batch. */
  readonly revision: number
  /** Rows inserted, replaced or updated, all tables together. */
  readonly rows: number
}

/** A store of which everything has been read. */
export type WholeStore = {
  /** What the fingerprint of it saw before it was listed. */
  readonly fingerprint: string
  /** Transcripts in it. */
  readonly sessions: number
}

/** The database as the import sees it. @typeParam Packed its own form of a part */
export interface IngestDatabase<Packed extends PackedPart = PackedPart> {
  /** All stores by id, as they were seen last. */
  seenStores(): Promise<ReadonlyMap<string, SeenStore>>
  /** null while something of the store is left to do. */
  lastFingerprint(storeId: string): Promise<WholeStore | null>
  /** Sessions of a store, by one query. */
  known(storeId: string): Promise<readonly KnownSession[]>
  /** Makes rows for transcripts that have none yet, so that lists show them before they are read. */
  register(transcripts: readonly FoundTranscript[]): Promise<ImportWriteResult>
  /**
   * Gives what was read of transcripts to others, which are the same files under other names: runtimes rename what they
   * archive. Answers those that were taken over; a session of another id is not.
   */
  move(moves: readonly SessionMove[]): Promise<readonly SessionMove[]>
  /** Where the import of a registered transcript is. */
  checkpoint(transcriptId: string): Promise<ImportCursor>
  /** Whether the texts of a part go into the search index. */
  readonly wantsTexts: boolean
  pack(part: SessionPart): Packed
  /** Writes down what detectors have gathered of a session, as `SavedSigns` in JSON. */
  saveSigns(transcriptId: string, signsJson: string): void
  /** Writes all parts in one transaction, or nothing. */
  write(parts: readonly Packed[]): Promise<ImportWriteResult>
  /** Flags sessions whose source is not there any more; what was read of them is kept. */
  markGone(storeId: string, transcriptIds: readonly string[]): Promise<ImportWriteResult>
  /** Records stores as found; with `all`, those that are known but not among them as missing. */
  saveStores(stores: readonly FoundStore[], at: number, all: boolean): Promise<void>
  /**
   * Records the end of a store's import, and what went wrong with the store itself, if anything.
   * @param whole null while something of it is left to do
   */
  saveStoreRead(storeId: string, at: number, problem: string | null, whole: WholeStore | null): Promise<void>
}

/** One transcript to be read. */
export type ImportJob = { readonly store: FoundStore; readonly transcript: FoundTranscript }

/** Reported after every transaction. */
export type ImportBatchReport = {
  readonly sessions: readonly string[]
  /** Of `sessions`, those that are read to their end. */
  readonly finished: readonly string[]
  readonly entries: number
  readonly bytes: Bytes
  readonly rows: number
  readonly revision: number
  readonly problems: readonly { readonly id: string; readonly path: string; readonly problem: string }[]
}

/**
 * Runs jobs, in this thread or spread over several. Resolves when all are done or `signal` says to stop; rejects when
 * the database fails. What is committed stays in either case.
 */
export interface ImportExecutor {
  run(
    jobs: readonly ImportJob[],
    onBatch: (report: ImportBatchReport) => void,
    signal?: AbortSignal,
  ): Promise<void>
}
