import type { Figure } from '../core/tokens/figure'
import { UNKNOWN } from '../core/tokens/figure'
import type { Frame } from '../core/tokens/frame'
import { isBoundary, isCall } from '../core/transcript/context'
import type { EntryFact } from '../core/transcript/entry'
import { type FoldBoundary, SessionFold, type SessionTotals } from '../core/transcript/fold'
import { frameSetupOf } from './frame-setup'
import type { Cursor, FoundStore, FoundTranscript, StoreReader } from './ports'

/** How a session stands now. */
export type SessionStatus = {
  readonly store: FoundStore
  readonly transcript: FoundTranscript
  /** Counters over the whole transcript, and the context now. Sums of usage are not among them. */
  readonly totals: Pick<
    SessionTotals,
    | 'entries'
    | 'unreadable'
    | 'unknownTypes'
    | 'calls'
    | 'turns'
    | 'compactions'
    | 'provider'
    | 'model'
    | 'updatedAt'
    | 'context'
    | 'window'
  >
  /** The frame of the call that would be made now. */
  readonly next: Frame
  /** Output tokens of the last call. */
  readonly lastOutput: Figure
  readonly lastCompaction: FoldBoundary | null
}

/** Two ways to read the same stores: entries without their content, and in full. */
export type StatusReaders = { readonly outline: StoreReader; readonly full: StoreReader }

/** Calls that are looked at closely, at least, so that estimates have something to learn from. */
const CLOSE_CALLS = 60

/**
 * Tells how a session stands without looking closely at all of it: everything is read and counted, but content is
 * sized only from the compaction on that the last calls rest on. Measured figures are the same as after a full
 * reading; estimates have learned from fewer calls.
 *
 * @throws SourceProblem when the source cannot be read
 */
export async function inspectStatus(
  readers: StatusReaders,
  store: FoundStore,
  transcript: FoundTranscript,
): Promise<SessionStatus> {
  const outline: EntryFact[] = []
  const cursors: Cursor[] = []
  for await (const batch of readers.outline.read(store, transcript, null, () => undefined)) {
    for (const fact of batch.facts) outline.push(fact)
    cursors.push(batch.cursor)
  }
  const close = beginClosely(outline)
  const status = await readClosely(readers.full, { store, transcript, outline, cursors, close })
  // The session went back to before that compaction: only the whole of it tells.
  return status ?? (await readWhole(readers.full, { store, transcript, outline, cursors, close: null }))
}

/** The boundary from which on a transcript is looked at closely, and the first entry that it keeps. */
type Close = { readonly boundary: number; readonly firstKept: number }

type Job = {
  readonly store: FoundStore
  readonly transcript: FoundTranscript
  readonly outline: readonly EntryFact[]
  readonly cursors: readonly Cursor[]
  readonly close: Close | null
}

/** The last boundary with enough calls after it; null when the whole transcript must be looked at. */
function beginClosely(outline: readonly EntryFact[]): Close | null {
  // Version 1 names kept entries by their place in the whole file.
  if ((outline[0]?.header?.version ?? 1) < 2) return null
  let calls = 0
  for (let seq = outline.length - 1; seq >= 0; seq--) {
    const fact = outline[seq]
    if (fact === undefined) continue
    if (isCall(fact)) calls++
    if (calls < CLOSE_CALLS || !isBoundary(fact)) continue
    const kept = outline.findLastIndex((entry, at) => at < seq && entry.id === fact.firstKeptEntryId)
    return { boundary: seq, firstKept: kept < 0 ? seq : kept }
  }
  return null
}

async function readClosely(reader: StoreReader, job: Job): Promise<SessionStatus | null> {
  const { close, cursors } = job
  if (close === null) return readWhole(reader, job)
  const cursor = cursors.findLast((reached) => reached.seq <= close.firstKept) ?? null
  const fold = SessionFold.start(frameSetupOf(job.store, job.transcript))
  for (const fact of job.outline.slice(0, cursor?.seq ?? 0)) fold.remember(fact)
  const status = await finish(reader, job, fold, cursor)
  return status !== null && fold.hasOnPath(close.boundary) ? status : null
}

async function readWhole(reader: StoreReader, job: Job): Promise<SessionStatus> {
  const fold = SessionFold.start(frameSetupOf(job.store, job.transcript))
  const status = await finish(reader, { ...job, close: null }, fold, null)
  if (status === null) throw new Error(`${job.transcript.path} was replaced while it was read; try again`)
  return status
}

/** Folds what follows `cursor`; null when the source is another one than the outline's by now. */
async function finish(
  reader: StoreReader,
  { store, transcript, close }: Job,
  fold: SessionFold,
  cursor: Cursor | null,
): Promise<SessionStatus | null> {
  let restarted = false
  let lastOutput: Figure = UNKNOWN
  let lastCompaction: FoldBoundary | null = null
  const batches = reader.read(store, transcript, cursor, (start) => {
    restarted = start.restarted
  })
  for await (const { facts } of batches) {
    if (restarted) return null
    for (const fact of facts) {
      if (close !== null && fact.seq < close.boundary) {
        fold.remember(fact)
        continue
      }
      const { frame, boundary } = fold.push(fact)
      if (frame !== undefined) lastOutput = frame.output
      if (boundary?.kind === 'compaction') lastCompaction = boundary
    }
  }
  return { store, transcript, totals: countsOf(fold.totals()), next: fold.next(), lastOutput, lastCompaction }
}

function countsOf(totals: SessionTotals): SessionStatus['totals'] {
  const { entries, unreadable, unknownTypes, calls, turns, compactions } = totals
  const { provider, model, updatedAt, context, window } = totals
  return {
    entries,
    unreadable,
    unknownTypes,
    calls,
    turns,
    compactions,
    provider,
    model,
    updatedAt,
    context,
    window,
  }
}
