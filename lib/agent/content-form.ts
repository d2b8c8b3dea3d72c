import { injectedSummary } from '../core/compaction/rolling'
import { gapResult, messageCraft } from '../core/history/message-craft'
import type { ContentMessage } from '../core/history/thinking'
import type { MessageForm } from '../core/summary/message-form'
import { messageSource, type SourceMessage } from '../core/summary/source-message'
import { blockKind, textOfBlock } from '../core/transcript/blocks'
import { stringOf } from '../core/transcript/json'

/** How every summary that enters a context begins. */
const SUMMARY_START = injectedSummary('').split('\n')[0] ?? ''

type AgentForm<M> = Omit<MessageForm<M>, 'tokensOf'>

/**
 * See `CONTENT_FORM`; for an agent whose messages have their own type.
 *
 * @example
 * ```ts
 * import { type ContentMessage, contentForm } from 'plimsoll-agent'
 *
 * type OwnMessage = ContentMessage & { readonly id: string }
 * const form = contentForm<OwnMessage>()
 * ```
 */
export function contentForm<M extends ContentMessage>(): AgentForm<M> {
  // What is made has role and content, as messages of every API that has roles.
  const fromText = (text: string) => ({ role: 'user', content: text }) as ContentMessage as M
  return {
    hasBlocks: true,
    toSource: readMessage,
    fromText,
    isSummary,
    idOf: (message) => stringOf(message.id) ?? null,
    at: (message) => timeOf(message.timestamp),
    isImportant: (message) => message.important === true,
    withText: (message, text) => ({ ...message, content: withText(message.content, text) }),
    craft: messageCraft(fromText),
    gapFor: (call, id) => gapResult(call, id) as M | null,
  }
}

/**
 * How messages are read and made as the field's APIs have them: pi and OpenClaw, Anthropic Messages, OpenAI Chat
 * Completions, items of OpenAI Responses, the AI SDK, and plain texts with a role. Calls and results are read from
 * wherever each keeps them; blocks that are not known stay where they are.
 * @example
 * ```ts
 * import { CONTENT_FORM } from 'plimsoll-agent'
 *
 * const part = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'Berth 4.' }] }
 * CONTENT_FORM.toSource(part, 0)?.text // 'Berth 4.'
 * ```
 */
export const CONTENT_FORM: AgentForm<ContentMessage> = contentForm()

function readMessage(message: ContentMessage, index: number): SourceMessage | null {
  const place = { entryId: `m${index}`, line: index + 1 }
  const source = messageSource(message, place, message.resultFor)
  return source !== null && isSummary(message) ? { ...source, role: 'summary' } : source
}

/** Times as milliseconds or as a text. */
function timeOf(value: unknown): number | null {
  const at = typeof value === 'string' ? Date.parse(value) : value instanceof Date ? value.getTime() : value
  return typeof at === 'number' && Number.isFinite(at) ? at : null
}

/** One text in the place of all texts; calls, images and whatever else there is stay where they are. */
function withText(content: unknown, text: string): unknown {
  if (!Array.isArray(content)) return text
  const others = content.filter((block) => blockKind(block) !== 'text')
  return [{ type: 'text', text }, ...others]
}

function isSummary({ content }: ContentMessage): boolean {
  const text = Array.isArray(content) ? textOfBlock(content[0]) : content
  return typeof text === 'string' && text.startsWith(SUMMARY_START)
}
