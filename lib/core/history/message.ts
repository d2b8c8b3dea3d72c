import type { Role } from '../transcript/entry'

/**
 * The least that limits must know of a message, so that a transcript's facts and a live agent's own messages both fit
 * as they are: anything with these fields goes in, the same objects come out. How large a message is says the caller
 * (`TokensOf`), since the facts of a transcript get their tokens from a calibration.
 */
export type HistoryMessage = {
  readonly role?: Role
  /** Tool calls that an assistant message makes. */
  readonly calls?: readonly { readonly id: string }[]
  /** The call that a tool result answers. */
  readonly resultFor?: string
}

/** Size of a message in tokens: zero or more. */
export type TokensOf<M> = (message: M) => number

/** A message with which a turn begins. Whatever else is sent in the user's name (shell output, notes) begins none. */
export function isUserTurn(message: HistoryMessage): boolean {
  return message.role === 'user'
}

/** What replaces history that is gone: limits pass it over, so that it is never lost silently. */
function isSummary(message: HistoryMessage): boolean {
  return message.role === 'compactionSummary' || message.role === 'branchSummary'
}

/** How many messages at the beginning are summaries. */
export function leadingSummaries(messages: readonly HistoryMessage[]): number {
  const end = messages.findIndex((message) => !isSummary(message))
  return end < 0 ? messages.length : end
}
