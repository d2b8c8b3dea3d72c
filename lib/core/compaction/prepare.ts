import type { Tokens } from '../units/units'
import { findCutPoint } from './cut-point'
import type { SizedEntry } from './sized-entry'

/** What a runtime's compaction would do with a path. Indices into the path, ends exclusive. */
type Preparation = {
  /** Entries before `firstKept` are gone afterwards, the previous boundary's summary too. */
  readonly firstKept: number
  /** Entries that are summarised: from what the last boundary kept on. */
  readonly summarise: { readonly from: number; readonly to: number }
  /** Beginning of a turn that the cut goes through; summarised separately. */
  readonly turnPrefix: { readonly from: number; readonly to: number } | null
  /** The last compaction on the path, whose summary this one carries on. */
  readonly previous: number | null
}

/** Why there is nothing to compact. */
export type NothingToCompact =
  /** The last entry is a boundary already. */
  | 'just-compacted'
  /** Everything since the last boundary is in the tail that is kept. */
  | 'all-kept'
  | 'empty'

export type Prepared =
  | { readonly kind: 'prepared'; readonly preparation: Preparation }
  | { readonly kind: 'nothing'; readonly why: NothingToCompact }

/**
 * Finds what a compaction at the end of `path` would cut and summarise. `path` begins with the root.
 * @param keptBy index of the first entry that the boundary at an index keeps, negative when there is none
 * @param boundary index of the last compaction or reset on the path; negative when there is none
 */
export function prepareCompaction(
  path: readonly SizedEntry[],
  keepTokens: Tokens,
  keptBy: (boundary: number) => number,
  boundary = lastBoundary(path),
): Prepared {
  const last = path.at(-1)?.fact
  if (last === undefined) return { kind: 'nothing', why: 'empty' }
  if (last.type === 'compaction' || last.type === 'reset') return { kind: 'nothing', why: 'just-compacted' }
  const kept = boundary < 0 ? 0 : keptBy(boundary)
  const start = kept < 0 ? boundary + 1 : kept
  const { firstKept, turnStart } = findCutPoint(path, start, path.length, keepTokens)
  const to = turnStart ?? firstKept
  const preparation: Preparation = {
    firstKept,
    summarise: { from: start, to },
    turnPrefix: turnStart === null ? null : { from: turnStart, to: firstKept },
    previous: path[boundary]?.fact.type === 'compaction' ? boundary : null,
  }
  return hasMessages(path, start, firstKept)
    ? { kind: 'prepared', preparation }
    : { kind: 'nothing', why: 'all-kept' }
}

/** Index of the last compaction or reset; negative when there is none. */
function lastBoundary(path: readonly SizedEntry[]): number {
  return path.findLastIndex(({ fact }) => fact.type === 'compaction' || fact.type === 'reset')
}

/** Whether there is anything to summarise: a summary alone is not. */
export function hasMessages(path: readonly SizedEntry[], from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const { type, role } = path[i]?.fact ?? {}
    if (type === 'custom_message' || type === 'branch_summary') return true
    if (type === 'message' && role !== 'compactionSummary') return true
  }
  return false
}
