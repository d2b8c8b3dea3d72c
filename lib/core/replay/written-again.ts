import { NEED_KINDS, type WrittenAgain } from './replay-session'

/** Prior of the precision of needs: as sure as ten cases of which eight were real (lib/docs/replay.md#precision). */
const [PRIOR_REAL, PRIOR_ALL] = [8, 10]

/**
 * What was written once more after recorded compactions of what only dropped chunks had: how often a match is a need
 * shows in whether it was looked up before.
 */
export class WrittenAgainTally {
  readonly #shown = NEED_KINDS.map(() => 0)
  readonly #unseen = NEED_KINDS.map(() => 0)
  readonly #known = new Set<number>()

  /** Whether a span was not counted since the last compaction. */
  isNew(span: number): boolean {
    if (this.#known.has(span)) return false
    this.#known.add(span)
    return true
  }

  add(kind: (typeof NEED_KINDS)[number], isShown: boolean): void {
    const place = NEED_KINDS.indexOf(kind)
    const counts = isShown ? this.#shown : this.#unseen
    counts[place] = (counts[place] ?? 0) + 1
  }

  /** Another compaction: what is written from here on is counted anew. */
  begin(): void {
    this.#known.clear()
  }

  finish(): WrittenAgain {
    return { shown: [...this.#shown], unseen: [...this.#unseen] }
  }
}

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
