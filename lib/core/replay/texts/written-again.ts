import { NEED_KINDS, type WrittenAgain } from '../replay-session'

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
