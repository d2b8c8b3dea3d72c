import { blockKind } from '../transcript/blocks'
import { type HistoryMessage, isUserTurn } from './message'

/**
 * A message as an agent keeps it, in the form of any API: role and `content`, a text or blocks, and whatever else that
 * API has. Items of Responses have a `type` in the place of a role. The fields named here are read.
 */
export type ContentMessage = HistoryMessage & {
  readonly content?: unknown
  readonly type?: string
  /** Distinguished in logs and cold storage by it. */
  readonly id?: unknown
  /** When it was written: milliseconds since the epoch, or an ISO text. Without it order replaces age. */
  readonly timestamp?: unknown
  /** true: it stays, whatever is dropped. */
  readonly important?: unknown
  /** Calls and answers as Chat Completions, Responses, pi and OpenClaw name them. */
  readonly tool_calls?: unknown
  readonly tool_call_id?: unknown
  readonly toolCallId?: unknown
  readonly toolName?: unknown
  readonly isError?: unknown
  readonly call_id?: unknown
  readonly name?: unknown
  readonly arguments?: unknown
  readonly output?: unknown
}

/**
 * What is sent of a history whose thinking stays behind: the same messages without their thinking blocks. What
 * is stored stays as it is; the messages that lose something are copies. A message of nothing but thinking is left out,
 * since providers refuse an empty one.
 *
 * Thinking of the turn that runs is sent where it led to tool calls: Anthropic and Bedrock refuse a tool loop whose
 * thinking is missing, and drop it themselves once the next user message is there.
 * @returns the same list when there is nothing to take away
 */
export function withoutThinking<M extends ContentMessage>(messages: readonly M[]): readonly M[] {
  const running = messages.findLastIndex(isUserTurn)
  let changed = false
  const sent = messages.flatMap((message, at): M[] => {
    const { content } = message
    if (message.role !== 'assistant' || !Array.isArray(content)) return [message]
    if (at > running && (message.calls?.length || content.some((block) => blockKind(block) === 'call'))) {
      return [message]
    }
    const rest = content.filter((block) => blockKind(block) !== 'thinking')
    if (rest.length === content.length) return [message]
    changed = true
    return rest.length === 0 ? [] : [{ ...message, content: rest }]
  })
  return changed ? sent : messages
}
