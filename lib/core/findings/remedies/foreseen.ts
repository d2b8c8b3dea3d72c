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

/** Why a pick of a tuner is not written before somebody insists: it costs more by replay, or none says what it costs. */
export type PickDoubt = 'loss' | 'unknown'

/**
 * What speaks against writing a pick, where the settings file has no key for what saves; null: nothing. It costs more for
 * sure when even the best of its interval does.
 * @param foreseen null: nothing could be replayed
 */
export function pickDoubt(foreseen: Foreseen | null): PickDoubt | null {
  if (foreseen === null) return 'unknown'
  return (foreseen.gain?.high ?? 0) < 0 ? 'loss' : null
}
