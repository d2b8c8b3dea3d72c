import type { SourceMessage } from '../summary/source-message'
import type { EntryFact } from '../transcript/entry'

/** One entry of the path, in order; compactions too. */
export type ReplayEntry = {
  readonly fact: EntryFact
  /** null: nothing of it reaches a model, or it cannot be read. */
  readonly message: SourceMessage | null
  /**
   * Of a compaction or reset: sequence numbers of the first entry that it keeps and of the last one; null: it keeps
   * nothing, or everything after the first.
   */
  readonly kept?: { readonly first: number | null; readonly last: number | null }
  /** What a provider's own summary says, where it can be read. */
  readonly summary?: string
}
