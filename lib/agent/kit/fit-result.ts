import type { Figure } from '../../core/tokens/figure'
import type { Tokens } from '../../core/units/units'
import type { LadderStep } from '../live-agent'

/** A part of a conversation that has left the context and is in cold storage. */
export type DroppedChunk = {
  /** Brings it back: `context.recover(id)`. */
  readonly id: string
  /** null where not counted. */
  readonly tokens: Tokens | null
  /** Why it left: `low_relevance`, `summarised`, `hard_limit` … */
  readonly reason: string | null
  /** How much it had to do with what was asked, from 0 to 1; null where it has no score. */
  readonly score: number | null
}

/** A part that came back from cold storage, since the newest message asks for it. */
export type ReturnedChunk = { readonly id: string; readonly tokens: Tokens; readonly score: number | null }

/** What was done to a conversation before it is sent. */
export type FitDone = {
  /** In their order; empty when nothing was due. */
  readonly steps: readonly LadderStep[]
  /** Of the whole request, as far as it is known, as it came and as it is now. */
  readonly before: Figure
  readonly after: Figure
  readonly window: Tokens
  /** The summary that took the place of older messages in this call; null when there was none. */
  readonly summary: { readonly text: string; readonly by: string } | null
  readonly dropped: readonly DroppedChunk[]
  readonly returned: readonly ReturnedChunk[]
  /** Why it does not fit although all was done that can be; null when it does. */
  readonly failure: string | null
  readonly warnings: readonly string[]
}

/** What `fit` answers. */
export type FitResult<M> = {
  /** To be sent: the caller's own objects, where nothing was done to them. */
  readonly messages: M[]
  /** To be put before your own system prompt: workspace files, tasks, what memory knows. '' when there is none. */
  readonly system: string
  readonly done: FitDone
}

/** What is sent besides messages, so that it can be counted. */
export type FitOptions = {
  /** The system prompt, a text or blocks, where it is not among the messages. */
  readonly system?: unknown
  /** Definitions of tools, as the provider gets them. */
  readonly tools?: unknown
  readonly signal?: AbortSignal
}
