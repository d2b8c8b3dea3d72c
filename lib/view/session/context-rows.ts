import type { Category, CategoryTokens } from '../../core/tokens/category'
import type { Unsent } from '../../core/transcript/send-rules'
import type { Tokens } from '../../core/units/units'

/** One thing in the window of a call: an entry, a fixed part before the conversation, or the residual after it. */
export type ContextItem = {
  /** Place in the window, from 0. */
  readonly order: number
  /** The category of most of its tokens. */
  readonly category: Category
  /** Whole tokens; all items together are the frame. */
  readonly tokens: Tokens
  /** What the tokens consist of. */
  readonly parts: CategoryTokens
  /** Sequence number of the entry; null for what is not in the transcript. */
  readonly seq: number | null
  readonly sent: boolean
  /** Why it was not sent as its own message. */
  readonly why: Unsent | null
  /** Turns that began after it; null for what is not in the transcript. */
  readonly age: number | null
  /** The provider's checkpoint of all that came before is sent with it. */
  readonly replayed?: true
}

export const CONTEXT_SORTS = ['order', 'tokens', 'age'] as const

export type ContextSort = (typeof CONTEXT_SORTS)[number]

export type ContextChoice = {
  readonly sort: ContextSort
  readonly descending: boolean
  readonly category: Category | null
}

/** Tokens of an item as a list filtered by `category` counts them. */
export function tokensOf(item: ContextItem, category: Category | null): number {
  return category === null ? item.tokens : (item.parts[category] ?? 0)
}

const UNSENT_WORDS: { readonly [W in Unsent]: string } = {
  'transcript-only': 'written for the reader only',
  'silent-reply': 'a reply that says nothing',
  'failed-turn': 'of a failed or aborted turn',
  'orphaned-result': 'a result that no call asked for',
  'duplicate-result': 'a second result of the same call',
  excluded: 'kept out by the operator',
  empty: 'without content',
  'unknown-role': 'of a role that is not sent',
  merged: 'sent inside the message before it',
}

/** Why an entry is not its own message, in words. */
export function unsentWords(why: Unsent): string {
  return UNSENT_WORDS[why]
}
