import type { Window } from '../../budget/window'
import type { Calibration } from '../../tokens/calibration'
import type { CutState } from '../../tokens/cut-prompts'
import type { Figure } from '../../tokens/figure'
import type { Frame } from '../../tokens/frame'
import type { CompactionRecord } from '../compaction-record'
import type { EntryFact } from '../entry'
import type { NodeState } from '../replay-state'
import type { FoldTotals } from './fold-totals'
import type { RecordsState } from './open-call'

/** A boundary of a transcript, with what only its entries tell. */
export type FoldBoundary = CompactionRecord & {
  /** The agent was in the middle of something (`isMidTask`). */
  readonly midTask: boolean
  /** The first and the last entry from before it that stay in the context (`EntryFact.seq`); null: none, or unknown. */
  readonly kept: { readonly from: number; readonly to: number } | null
}

/**
 * What one entry led to. `needsHistory`: the fold was resumed and this entry reaches back; start over with all entries.
 */
export type FoldStep = {
  /** The entry, where it turned out to be more than was read of it alone (`TotalsTally.asRecorded`). */
  readonly fact?: EntryFact
  readonly frame?: Frame
  readonly boundary?: FoldBoundary
  readonly needsHistory?: true
  /** More became known of a call before: its first record and its frame, as they are now. */
  readonly amended?: { readonly fact: EntryFact; readonly frame: Frame }
}

/** All that is needed to go on with the next entry at the leaf. Plain JSON, a few kilobytes. */
export type FoldSnapshot = {
  readonly leafId: string | null
  readonly leafState: NodeState
  readonly totals: FoldTotals
  readonly calibrations: { readonly [modelKey: string]: Calibration }
  /** Usage of the last call, and the turn it was made in. */
  readonly lastUsage: string | null
  /** What is known about sizes that prompts are cut to, by model. */
  readonly cuts: { readonly [modelKey: string]: CutState }
  /** Only of a runtime that writes a response in several records. */
  readonly records?: RecordsState
}

/** Counters of a session and what its context holds now. */
export type SessionTotals = FoldTotals & { readonly context: Figure; readonly window: Window }
