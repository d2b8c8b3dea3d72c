import type { Draft, DraftEntry } from './draft'
import type { FindingClass } from './finding'

/**
 * Where the passes of a repair put down what they found: the entry that changes, and what is done about it. `about` is
 * the entry that is wrong, where that is another one.
 */
type Report = (found: FindingClass, entry: DraftEntry, fix: string, about?: DraftEntry) => void

/** What a pass works with. */
export type Mending = {
  readonly draft: Draft
  readonly report: Report
  /** Version 1: entries have no ids, each follows the one before it. */
  readonly linear: boolean
  /** Results that were made so far, by the answer that calls. */
  readonly made: Map<DraftEntry, DraftEntry[]>
}
