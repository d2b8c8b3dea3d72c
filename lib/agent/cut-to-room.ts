import { limitTokens } from '../core/history/limit-tokens'
import { isUserTurn } from '../core/history/message'
import { withoutOrphans } from '../core/history/pairing'
import type { ContentMessage } from '../core/history/thinking'
import type { MessageForm } from '../core/summary/message-form'

export type CutMessages<M> = {
  readonly messages: readonly M[]
  /** How many messages were left out. */
  readonly left: number
  /** Tokens above the room, since the newest message of the user and the summaries never go. */
  readonly over: number
}

/**
 * What of a conversation fits into a room that no summary made large enough: whole turns go, oldest first, then
 * steps of the turn that runs; summaries and the newest message of the user stay, whatever their size.
 * @param incoming what is about to come in; a message of the user in it is the newest one
 */
export function cutToRoom<M extends ContentMessage>(
  messages: readonly M[],
  incoming: readonly M[],
  room: number,
  { tokensOf, isSummary }: Pick<MessageForm<M>, 'tokensOf' | 'isSummary'>,
  recentTurns: number,
): CutMessages<M> {
  const first = messages.findIndex((message) => !isSummary(message))
  const summaries = messages.slice(0, first < 0 ? messages.length : first)
  const taken = summaries.reduce((sum, message) => sum + tokensOf(message), 0)
  const promptSeparate = incoming.some(isUserTurn)
  const rest = messages.slice(summaries.length)
  const limited = limitTokens(rest, {
    budget: Math.max(0, room - taken),
    recentTurns,
    tokensOf,
    promptSeparate,
  })
  const kept = [...summaries, ...withoutOrphans(limited.messages)]
  const size = kept.reduce((sum, message) => sum + tokensOf(message), 0)
  return { messages: kept, left: messages.length - kept.length, over: Math.max(0, size - room) }
}
