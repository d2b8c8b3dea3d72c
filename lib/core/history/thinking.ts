import { type HistoryMessage, isUserTurn } from './message'

/** A live message; `content` is a text, or blocks of which those with a `type` that we know count. */
export type ContentMessage = HistoryMessage & { readonly content?: unknown }

const THINKING = new Set(['thinking', 'redacted_thinking', 'reasoning'])
const CALLS = new Set(['toolCall', 'tool_use', 'tool_call', 'functionCall'])

/**
 * What is sent of a history whose thinking stays behind (C11): the same messages without their thinking blocks. What
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
    if (at > running && (message.calls?.length || content.some((block) => CALLS.has(typeOf(block))))) {
      return [message]
    }
    const rest = content.filter((block) => !THINKING.has(typeOf(block)))
    if (rest.length === content.length) return [message]
    changed = true
    return rest.length === 0 ? [] : [{ ...message, content: rest }]
  })
  return changed ? sent : messages
}

function typeOf(block: unknown): string {
  const type = typeof block === 'object' && block !== null && 'type' in block ? block.type : undefined
  return typeof type === 'string' ? type : ''
}
