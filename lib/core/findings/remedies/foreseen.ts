import type { Interval, ReplaySum } from '../../replay/replay-result'

/** What of a policy over recorded sessions is shown beside another one. */
type ForeseenSide = Pick<
  ReplaySum,
  'usdSent' | 'compactions' | 'rewrites' | 'recall' | 'longRecall' | 'lost' | 'rulesKept' | 'overfull'
>

/** What changed settings would have meant for recorded sessions, assuming that the agent had done the same. Plain JSON. */
export type Foreseen = {
  readonly sessions: number
  readonly calls: number
  /** Sessions of the store that are older than those that were replayed, and those that could not be. */
  readonly more: number
  readonly failed: number
  readonly now: ForeseenSide
  readonly changed: ForeseenSide
  /** Share of the whole cost that is saved more than now; null: nothing to compare. */
  readonly gain: Interval | null
  /** Prompt tokens then less those now, over those now; null: nothing to compare. */
  readonly prompt: Interval | null
}

/** What one policy over sessions is shown by. */
export function foreseenSide({
  usdSent,
  compactions,
  rewrites,
  recall,
  longRecall,
  lost,
  rulesKept,
  overfull,
}: ReplaySum): ForeseenSide {
  return { usdSent, compactions, rewrites, recall, longRecall, lost, rulesKept, overfull }
}

/**
 * Whether a change costs more for sure, by replay: even the best of its interval does. A pick of a tuner is such a change
 * where the settings file has no key for what saves.
 */
export function isForeseenLoss(foreseen: Foreseen | null): boolean {
  return (foreseen?.gain?.high ?? 0) < 0
}
