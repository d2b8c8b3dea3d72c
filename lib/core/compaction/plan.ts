import type { CategoryTokens } from '../tokens/category'
import type { Figure } from '../tokens/figure'
import type { PriceSource } from '../tokens/own-prices'
import type { Tokens, Usd } from '../units/units'
import type { NothingToCompact } from './prepare'

/** What becomes of a chunk. `prune`: summarised first, separately, since the rest alone is too much. */
export type ChunkAction = 'keep' | 'summarise' | 'prune' | 'drop'

/** The rules that decide about a chunk, each with its sentence for the reader. */
export const PLAN_RULES = {
  fixed: 'system prompt, tools and workspace files are sent anew with every call',
  tail: 'within the most recent tokens that stay word for word',
  turns: 'within the most recent turns of the user that stay word for word',
  newest: 'the newest message of the user always stays',
  asked: 'the newest message of the user: its words are in the summary',
  pinned: 'marked as important: its words are in the summary',
  paired: 'belongs to a call or result that stays',
  cut: 'older than what stays word for word',
  prefix: 'beginning of a turn whose end stays; summarised by itself',
  earlier: 'an earlier summary, carried on in the new one',
  share: 'what stays is above its share of the window: summarised before the rest',
  oversized: 'too large for any summary; a note with its size replaces it',
  checkpoint: 'a checkpoint covers it already',
  unsent: 'not sent to the model, and not kept by the cut',
} as const

export type PlanRule = keyof typeof PLAN_RULES

/** The smallest thing a policy may change: a message, or a call with its results. */
export type PlanChunk = {
  /** Ids of its entries in order; empty for what is not in the transcript. */
  readonly entryIds: readonly string[]
  readonly seqs: readonly number[]
  readonly action: ChunkAction
  readonly rule: PlanRule
  /** Share of the frame's total, whole tokens. All chunks together make up `tokensBefore`. */
  readonly tokens: Tokens
  readonly byCategory: CategoryTokens
}

export type PlanWarning = {
  readonly code:
    | 'split-turn'
    | 'frees-little'
    | 'tail-too-large'
    | 'above-share'
    | 'small-window'
    | 'cache-starts-over'
    | 'pinned'
    | 'moved-for-pairing'
    | 'oversized'
    | 'unknown-total'
    | 'replaces-checkpoint'
    | 'kept-summary'
  readonly message: string
}

/** Where the text of the summary comes from. */
export type SummarySource = 'digest' | 'model' | 'checkpoint'

export type PlanCost = {
  /** Requests to a summarising model. */
  readonly calls: number
  readonly inputTokens: Tokens
  readonly outputTokens: Tokens
  /** null when the model has no price that we know; 0 when no model is asked. */
  readonly usd: Usd | null
  /** Whose prices `usd` was worked out with; null without one, and where no model is asked. */
  readonly source: PriceSource | null
  /** Tokens that the provider's prompt cache holds now and has to read anew afterwards; null when unknown. */
  readonly cacheLost: number | null
}

/** What a compaction would do at one call: plain data, the same for a dry run and for the run. */
export type CompactionPlan = {
  readonly kind: 'plan'
  readonly window: Tokens
  readonly tokensBefore: Figure
  readonly tokensAfter: Figure
  readonly before: CategoryTokens
  readonly after: CategoryTokens
  /** First entry of the path that stays; what a compaction record names. */
  readonly firstKeptEntryId: string
  readonly chunks: readonly PlanChunk[]
  /** Entries that each summarising request gets, in order; the split turn's prefix is separate. */
  readonly requests: {
    readonly pruned: readonly number[]
    readonly parts: readonly (readonly number[])[]
    readonly prefix: readonly number[]
    readonly oversized: readonly number[]
  }
  readonly summary: { readonly source: SummarySource; readonly tokens: Tokens }
  /** The runtime's own figure for its compaction record (lib/docs/openclaw.md#sizes). */
  readonly recordTokensBefore: number
  readonly cost: PlanCost
  readonly warnings: readonly PlanWarning[]
}

export type NoPlan = {
  readonly kind: 'nothing'
  readonly why: NothingToCompact | 'kept-by-policy' | 'off'
  readonly tokensBefore: Figure
}

export type PlanResult = CompactionPlan | NoPlan
