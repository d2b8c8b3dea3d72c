import { blockKind } from '../transcript/blocks'
import { isObject, type JsonObject } from '../transcript/json'
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
 * thinking is missing, and drop it themselves once the next answer is there. What a user says right behind the results
 * does not end the loop. Items of OpenAI Responses are known to have come of reasoning by their ids, so they lose those
 * with it; where an item cannot be without one, the reasoning stays (lib/docs/message-forms.md#openai-responses).
 * @returns the same list when there is nothing to take away
 */
export function withoutThinking<M extends ContentMessage>(messages: readonly M[]): readonly M[] {
  const running = runningFrom(messages)
  let changed = false
  const sent = messages.flatMap((message, at): M[] => {
    const { content } = message
    if (message.role !== 'assistant' || !Array.isArray(content)) return [message]
    if (at > running && makesCalls(message)) return [message]
    const rest = withoutReasoning(content)
    if (rest.length === content.length) return [message]
    changed = true
    return rest.length === 0 ? [] : [{ ...message, content: rest }]
  })
  return changed ? sent : messages
}

/** The place of the message with which the turn began that the last answer belongs to. */
function runningFrom(messages: readonly ContentMessage[]): number {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  const answer = messages[last]
  const end = answer !== undefined && makesCalls(answer) ? last : messages.length
  return messages.slice(0, end).findLastIndex(isUserTurn)
}

function makesCalls({ calls, content }: ContentMessage): boolean {
  if (calls !== undefined && calls.length > 0) return true
  return Array.isArray(content) && content.some((block) => blockKind(block) === 'call')
}

/** Blocks or items without those of thinking; all of them where that cannot be. */
function withoutReasoning(content: readonly unknown[]): readonly unknown[] {
  const rest = content.filter((block) => blockKind(block) !== 'thinking')
  if (!content.some(isReasoningItem)) return rest
  if (rest.some((item) => isBound(item) && !MAY_LACK_ID.has(item.type))) return content
  return rest.map((item) => {
    if (!isBound(item)) return item
    const { id: _id, ...free } = item
    return free
  })
}

/** Items that the API takes without the id that it gave them. */
const MAY_LACK_ID: ReadonlySet<unknown> = new Set([
  'message',
  'function_call',
  'custom_tool_call',
  'shell_call',
  'apply_patch_call',
])

function isBound(item: unknown): item is JsonObject {
  return isObject(item) && typeof item.id === 'string'
}

function isReasoningItem(block: unknown): boolean {
  return isObject(block) && block.type === 'reasoning' && Array.isArray(block.summary)
}
