import { NEED_KINDS, type WrittenAgain } from '../replay-session'

/** Prior of the precision of needs: as sure as ten cases of which eight were real (lib/docs/replay.md#precision). */
const [PRIOR_REAL, PRIOR_ALL] = [8, 10]
/** A rule is what it says, whoever repeats it. */
const RULE_PRECISION = 1

/** Share of what is written again that was needed from the context, where no recorded compaction tells. */
export const PRIOR_PRECISION = PRIOR_REAL / PRIOR_ALL

/** How sure matches of a kind are needs, and what that rests on: matches that were shown again first, and those that were not. */
export type KindPrecision = {
  readonly kind: (typeof NEED_KINDS)[number]
  readonly precision: number
  readonly shown: number
  readonly unseen: number
}

/**
 * Share of matches of each kind that are needs, in the order of `NEED_KINDS`, by the recorded compactions of sessions: of
 * what only dropped chunks had and was written again, some was written before anything showed it, and was no need.
 */
export function precisionsOf(counts: readonly WrittenAgain[]): KindPrecision[] {
  return NEED_KINDS.map((kind, place) => {
    let [shown, unseen] = [0, 0]
    for (const one of counts) {
      shown += one.shown[place] ?? 0
      unseen += one.unseen[place] ?? 0
    }
    const precision = kind === 'rule' ? RULE_PRECISION : (PRIOR_REAL + shown) / (PRIOR_ALL + shown + unseen)
    return { kind, precision, shown, unseen }
  })
}
