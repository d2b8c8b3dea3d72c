import type { ContentMessage } from '../core/history/thinking'
import type { ColdMemory } from './cold-memory'
import type { ContextPass } from './context-pass'

/** What a ladder has besides its own steps; put together where it is opened. */
export type LadderTools<M extends ContentMessage> = {
  /** Between flush and compaction, and again after a reply, in their order. */
  readonly passes: readonly ContextPass<M>[]
  /** null: what leaves the context is gone, and nothing comes back. */
  readonly cold: ColdMemory<M> | null
}
