import type { TokensOf } from '../history/message'
import type { MessageCraft } from '../history/provider-order'
import type { SourceMessage } from './source-message'

/** How an agent's own messages are read and made. */
export type MessageForm<M> = {
  readonly tokensOf: TokensOf<M>
  /** What a summary reads of a message; null for one that it must not see. */
  readonly toSource: (message: M, index: number) => SourceMessage | null
  /** A message of the user that carries a text. */
  readonly fromText: (text: string) => M
  /** Marked as different from what the user said: it is carried on, never summarised as if it were new. */
  readonly isSummary: (message: M) => boolean
  /** The message's own id, where it has one: chunks are then known by it in logs and cold storage. */
  readonly idOf?: (message: M) => string | null
  /** When it was written, in milliseconds since the epoch; null when it does not say. Without it no age is known. */
  readonly at?: (message: M) => number | null
  /** The agent's own mark that a message must stay, besides the marks in a user's text. */
  readonly isImportant?: (message: M) => boolean
  /** The message with another text, its calls and all else as they were; without it nothing is shortened. */
  readonly withText?: (message: M, text: string) => M
  /**
   * true: messages are those of an API, whose contents hold calls and results. They are taken apart for the ladder and
   * put together again. Else a message has at most one result, and names it and its calls itself (`resultFor`,
   * `calls`).
   */
  readonly hasBlocks?: boolean
  /** How messages are merged and renamed in the order that a provider demands; without it they stay as they are. */
  readonly craft?: MessageCraft<M>
  /** What replaces the result of a call that has none; null where nothing can. */
  readonly gapFor?: (call: M, id: string) => M | null
}
