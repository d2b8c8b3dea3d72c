import type { Policy } from '../policy/policy'
import type { CategoryTokens } from '../tokens/category'
import type { Figure } from '../tokens/figure'
import type { EntryTokens } from '../tokens/frame-entries'
import type { Tokens } from '../units/units'
import type { PlanPrice } from './plan-cost'
import type { SizedEntry } from './sized-entry'

/** A session at one call, as a plan needs it. */
export type PlanInput = {
  readonly policy: Policy
  readonly window: Tokens
  /** From the root to the leaf at which the compaction would be. */
  readonly path: readonly SizedEntry[]
  /** See `prepareCompaction`. */
  readonly keptBy: (boundary: number) => number
  /** The context at that leaf with the tokens of each entry; together with `fixed` they make up `total`. */
  readonly context: readonly EntryTokens[]
  /** What is before the conversation, and what has no name. */
  readonly fixed: CategoryTokens
  readonly total: Figure
  /** The runtime's figure for its record. */
  readonly recordTokensBefore: number
  readonly manual: boolean
  readonly source: 'digest' | 'model'
  /** A checkpoint of this session that may serve as the summary. */
  readonly checkpoint: { readonly uptoSeq: number; readonly tokens: Tokens } | null
  /** Tokens of a summary of so many tokens. */
  readonly summaryTokens: (summarised: number) => number
  readonly price: PlanPrice | null
  /**
   * The provider compacted on its own side: the plan looks at the full history, of which its checkpoint is sent now.
   */
  readonly replayed?: boolean
  /** Tokens of the last call that came from the provider's cache. */
  readonly cacheRead: number | null
}
