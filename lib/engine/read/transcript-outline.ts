import { isBoundary, isCall } from '../../core/transcript/context'
import type { EntryFact } from '../../core/transcript/entry'
import { type FoldTotals, TotalsTally } from '../../core/transcript/fold/fold-totals'
import type { Cursor, FoundStore, FoundTranscript, StoreReader } from './ports'

/** Calls that are read closely, at least, so that estimates have something to learn from. */
const CLOSE_CALLS = 60

/** Where to begin to look closely at a transcript, and what is before. */
export type CloseStart = {
  readonly header: EntryFact
  /** The boundary that everything after it rests on. */
  readonly boundary: number
  /** Reading on from here meets all that the boundary keeps. */
  readonly cursor: Cursor
  /** Counters of what is before `cursor`. */
  readonly before: FoldTotals
}

/** From one boundary to the next. */
type Segment = { readonly facts: EntryFact[]; calls: number }

/**
 * Finds the last compaction with enough calls after it, from entries without their content. Null when the whole
 * transcript must be examined: it has no such compaction, or it is of a kind where what is far apart hangs
 * together (version 1 counts entries; from version 4 on, and wherever the leaf was moved, parents can be made up for).
 */
export async function findCloseStart(
  outline: StoreReader,
  store: FoundStore,
  transcript: FoundTranscript,
): Promise<CloseStart | null> {
  const tally = new TotalsTally()
  const steps: { readonly cursor: Cursor; readonly totals: FoldTotals }[] = []
  const segments: Segment[] = [{ facts: [], calls: 0 }]
  let header: EntryFact | null = null
  for await (const { facts, cursor } of outline.read(store, transcript, null, () => undefined)) {
    for (const fact of facts) {
      header ??= fact
      if (!isPlain(header, fact)) return null
      tally.addOutline(fact)
      if (isBoundary(fact)) begin(segments)
      const segment = segments.at(-1)
      segment?.facts.push(fact)
      if (segment !== undefined && isCall(fact)) segment.calls += 1
    }
    steps.push({ cursor, totals: tally.snapshot() })
  }
  const found = chooseBoundary(segments)
  if (header === null || found === null) return null
  const step = steps.findLast(({ cursor }) => cursor.seq <= found.firstKept)
  if (step === undefined) return null
  return { header, boundary: found.boundary, cursor: step.cursor, before: step.totals }
}

function isPlain(header: EntryFact, fact: EntryFact): boolean {
  const version = header.header?.version ?? 1
  return version >= 2 && version < 4 && fact.type !== 'leaf' && fact.type !== 'reset'
}

/** Begins a new segment, and forgets those that nothing can begin in any more. */
function begin(segments: Segment[]): void {
  // What a boundary keeps is in the segment before it, so that one stays.
  while (segments.length > 2 && callsFrom(segments, 2) >= CLOSE_CALLS) segments.shift()
  segments.push({ facts: [], calls: 0 })
}

function callsFrom(segments: readonly Segment[], index: number): number {
  return segments.slice(index).reduce((sum, { calls }) => sum + calls, 0)
}

function chooseBoundary(
  segments: readonly Segment[],
): { readonly boundary: number; readonly firstKept: number } | null {
  const index = segments.findLastIndex((_, i) => callsFrom(segments, i) >= CLOSE_CALLS)
  const boundary = segments[index]?.facts[0]
  if (boundary === undefined || !isBoundary(boundary)) return null
  if (boundary.firstKeptEntryId === undefined) return { boundary: boundary.seq, firstKept: boundary.seq }
  const kept = findLast(segments.slice(0, index), boundary.firstKeptEntryId)
  return kept === undefined ? null : { boundary: boundary.seq, firstKept: kept.seq }
}

function findLast(segments: readonly Segment[], id: string): EntryFact | undefined {
  for (const { facts } of segments.toReversed()) {
    const found = facts.findLast((fact) => fact.id === id)
    if (found !== undefined) return found
  }
  return undefined
}
