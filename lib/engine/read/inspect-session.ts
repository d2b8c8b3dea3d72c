import { markCuts } from '../../core/tokens/cut-prompts'
import type { Frame } from '../../core/tokens/frame'
import { type EntryTokens, frameEntries } from '../../core/tokens/frame-entries'
import { Branches } from '../../core/transcript/branches'
import { callEntries, contextAt, contextOfCall } from '../../core/transcript/context'
import type { EntryFact } from '../../core/transcript/entry'
import { SessionFold } from '../../core/transcript/fold/fold'
import type { FoldBoundary, FoldStep, SessionTotals } from '../../core/transcript/fold/fold-step'
import { frameSetupOf } from './frame-setup'
import type { Cursor, FoundStore, FoundTranscript, ReadWanted, StoreReader } from './ports'
import { unfinishedBytes } from './unfinished'

/** A transcript read from its beginning to its end, straight from its store. */
export type InspectedSession = {
  readonly store: FoundStore
  readonly transcript: FoundTranscript
  readonly facts: readonly EntryFact[]
  readonly totals: SessionTotals
  /** One per call, in file order. */
  readonly frames: readonly Frame[]
  /** The frame of the call that would be made now. */
  readonly next: Frame
  readonly boundaries: readonly FoldBoundary[]
  /** Bytes of a last line that is not finished (`unfinishedBytes`). */
  readonly unfinished: number | null
}

/**
 * Reads a whole transcript, with what plans need to know of its entries where that is wanted.
 * @param onStep sees each entry as it was read, and what the fold made of it
 * @throws SourceProblem when its source cannot be read
 */
export async function inspectSession(
  reader: StoreReader,
  store: FoundStore,
  transcript: FoundTranscript,
  wanted: ReadWanted = {},
  onStep: (fact: EntryFact, step: FoldStep) => void = () => undefined,
): Promise<InspectedSession> {
  const fold = SessionFold.start(frameSetupOf(store, transcript))
  const facts: EntryFact[] = []
  const frames: Frame[] = []
  const boundaries: FoldBoundary[] = []
  let cursor: Cursor | null = null
  for await (const batch of reader.read(store, transcript, null, () => undefined, wanted)) {
    cursor = batch.cursor
    for (const fact of batch.facts) {
      const step = fold.push(fact)
      const { fact: recorded, frame, boundary, amended } = step
      onStep(fact, step)
      facts.push(recorded ?? fact)
      if (frame !== undefined) frames.push(frame)
      if (amended !== undefined) {
        frames[amended.frame.call - 1] = amended.frame
        facts[amended.fact.seq] = withUsage(facts[amended.fact.seq] ?? amended.fact, amended.fact)
      }
      if (boundary !== undefined) boundaries.push(boundary)
    }
  }
  const unfinished = unfinishedBytes(store, transcript, cursor)
  return {
    store,
    transcript,
    facts,
    totals: fold.totals(),
    frames: markCuts(frames),
    next: fold.next(),
    boundaries,
    unfinished,
  }
}

/** The first record of a call as it was read, with what was reported of the call later. */
export function withUsage(record: EntryFact, { usage, stopReason }: EntryFact): EntryFact {
  return { ...record, usage, ...(stopReason !== undefined && { stopReason }) }
}

/** A call from 1, the last one there is, or the one that would be made now. */
export type CallChoice = number | 'last' | 'next'

/** One call explained: what filled its window, and what its session's tree put into its context, in order. */
export type ExplainedCall = { readonly frame: Frame; readonly entries: readonly EntryTokens[] }

/** Explains a call of an inspected session; null when there is no such call. */
export function explainCall(session: InspectedSession, choice: CallChoice): ExplainedCall | null {
  const { facts, frames, next, store } = session
  const branches = Branches.of(facts)
  if (choice === 'next') {
    return {
      frame: next,
      entries: frameEntries(contextAt(branches, branches.leaf, store.kind), next, store.kind),
    }
  }
  const call = choice === 'last' ? frames.length : choice
  const frame = frames[call - 1]
  const seq = callEntries(facts)[call - 1]
  if (frame === undefined || seq === undefined) return null
  return { frame, entries: frameEntries(contextOfCall(branches, seq, store.kind), frame, store.kind) }
}
