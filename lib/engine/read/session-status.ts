import { chunkGroups } from '../../core/pruning/chunk-groups'
import type { Figure } from '../../core/tokens/figure'
import { UNKNOWN } from '../../core/tokens/figure'
import type { Frame } from '../../core/tokens/frame'
import { SessionFold } from '../../core/transcript/fold/fold'
import type { FoldBoundary, SessionTotals } from '../../core/transcript/fold/fold-step'
import { frameSetupOf } from './frame-setup'
import type { Cursor, FoundStore, FoundTranscript, StoreReader } from './ports'
import { type CloseStart, findCloseStart } from './transcript-outline'
import { unfinishedBytes } from './unfinished'

/** The present state of a session. */
export type SessionStatus = {
  readonly store: FoundStore
  readonly transcript: FoundTranscript
  /** Counters over the whole transcript, and the context now. Sums of usage are not among them. */
  readonly totals: Pick<
    SessionTotals,
    | 'version'
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
  /** Chunks that the context holds now: messages, and calls with their results. */
  readonly chunks: number
  /** Bytes of a last line that is not finished (`unfinishedBytes`). */
  readonly unfinished: number | null
}

/** Two ways to read the same stores: entries without their content, and in full. */
export type StatusReaders = { readonly outline: StoreReader; readonly full: StoreReader }

/**
 * Tells the state of a session without looking closely at all of it: everything is counted, but content is read only
 * from the compaction on that the last calls rest on. Measured figures are the same as after a full reading;
 * estimates have learned from fewer calls.
 *
 * @throws SourceProblem when the source cannot be read
 */
export async function inspectStatus(
  readers: StatusReaders,
  store: FoundStore,
  transcript: FoundTranscript,
): Promise<SessionStatus> {
  const start = await findCloseStart(readers.outline, store, transcript)
  const status = start && (await readFrom(readers.full, store, transcript, start))
  return status ?? readWhole(readers.full, store, transcript)
}

/** Null when the session went back to before the boundary, or when the source is another one by now. */
async function readFrom(
  reader: StoreReader,
  store: FoundStore,
  transcript: FoundTranscript,
  start: CloseStart,
): Promise<SessionStatus | null> {
  const { header, before, cursor, boundary } = start
  const fold = SessionFold.startLate(frameSetupOf(store, transcript), header, before)
  const watch = new Watch(fold)
  let restarted = false
  const batches = reader.read(store, transcript, cursor, (began) => {
    restarted = began.restarted
  })
  for await (const { facts, cursor: reached } of batches) {
    if (restarted) return null
    watch.reached = reached
    for (const fact of facts) {
      if (fact.seq < boundary) fold.remember(fact)
      else watch.push(fact)
    }
  }
  return fold.hasOnPath(boundary) ? watch.status(store, transcript) : null
}

async function readWhole(
  reader: StoreReader,
  store: FoundStore,
  transcript: FoundTranscript,
): Promise<SessionStatus> {
  const watch = new Watch(SessionFold.start(frameSetupOf(store, transcript)))
  for await (const { facts, cursor } of reader.read(store, transcript, null, () => undefined)) {
    watch.reached = cursor
    for (const fact of facts) watch.push(fact)
  }
  return watch.status(store, transcript)
}

/** Folds entries and remembers what came last. */
class Watch {
  /** How far the source was read. */
  reached: Cursor | null = null
  private readonly fold: SessionFold
  private lastOutput: Figure = UNKNOWN
  private lastCompaction: FoldBoundary | null = null

  constructor(fold: SessionFold) {
    this.fold = fold
  }

  push(fact: Parameters<SessionFold['push']>[0]): void {
    const { frame, boundary, amended } = this.fold.push(fact)
    const last = frame ?? amended?.frame
    if (last !== undefined) this.lastOutput = last.output
    if (boundary !== undefined && boundary.kind !== 'reset') this.lastCompaction = boundary
  }

  status(store: FoundStore, transcript: FoundTranscript): SessionStatus {
    const { fold, lastOutput, lastCompaction } = this
    return {
      store,
      transcript,
      totals: countsOf(fold.totals()),
      next: fold.next(),
      lastOutput,
      lastCompaction,
      chunks: chunksOf(fold),
      unfinished: unfinishedBytes(store, transcript, this.reached),
    }
  }
}

function chunksOf(fold: SessionFold): number {
  const sent = (fold.context() ?? []).filter((entry) => entry.sent)
  return chunkGroups(sent.map(({ fact }) => fact)).length
}

function countsOf(totals: SessionTotals): SessionStatus['totals'] {
  const { version, entries, unreadable, unknownTypes, calls, turns, compactions } = totals
  const { provider, model, updatedAt, context, window } = totals
  return {
    version,
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
