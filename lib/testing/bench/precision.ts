import { NEED_KINDS, type WrittenAgain } from '../../core/replay/replay-session'

/** Prior of the precision of needs: as sure as ten cases of which eight were real (lib/docs/replay.md#precision). */
const [PRIOR_REAL, PRIOR_ALL] = [8, 10]

/** Share of matches of a kind that are needs, by what was counted over sessions. */
export function precisionOf(counts: readonly WrittenAgain[], kind: (typeof NEED_KINDS)[number]): number {
  const place = NEED_KINDS.indexOf(kind)
  let [shown, all] = [PRIOR_REAL, PRIOR_ALL]
  for (const one of counts) {
    shown += one.shown[place] ?? 0
    all += (one.shown[place] ?? 0) + (one.unseen[place] ?? 0)
  }
  return shown / all
}
