import { injectedSummary } from '../core/compaction/rolling'
import type { ContentMessage } from '../core/history/thinking'
import { sourceMessage } from '../core/summary/source-message'
import { isObject, stringOf } from '../core/transcript/json'
import type { MessageForm } from './live-compaction'

/** How every summary that enters a context begins. */
const SUMMARY_START = injectedSummary('').split('\n')[0] ?? ''

/**
 * How messages are read and made whose `content` is a text or a list of blocks, as pi and OpenClaw keep them: what most
 * agents need as it is. Calls are read from the blocks, results by `toolCallId`, or by `resultFor`.
 */
export const CONTENT_FORM: Omit<MessageForm<ContentMessage>, 'tokensOf'> = {
  toSource: (message, index) => {
    const source = sourceMessage(
      { type: 'message', message: { ...message, ...resultOf(message) } },
      { entryId: `m${index}`, line: index + 1 },
    )
    return source !== null && isSummary(message) ? { ...source, role: 'summary' } : source
  },
  fromText: (text) => ({ role: 'user', content: text }),
  isSummary,
  idOf: (message) => stringOf(fieldOf(message, 'id')) ?? null,
  at: (message) => timeOf(fieldOf(message, 'timestamp')),
  isImportant: (message) => fieldOf(message, 'important') === true,
  withText: (message, text) => ({ ...message, content: withText(message.content, text) }),
}

function resultOf({ resultFor }: ContentMessage): { readonly toolCallId?: string } {
  return resultFor === undefined ? {} : { toolCallId: resultFor }
}

/** Fields that the type of a message does not name, and that many agents keep. */
function fieldOf(message: ContentMessage, name: string): unknown {
  const fields: unknown = message
  return isObject(fields) ? fields[name] : undefined
}

/** Times as milliseconds or as a text. */
function timeOf(value: unknown): number | null {
  const at = typeof value === 'string' ? Date.parse(value) : value
  return typeof at === 'number' && Number.isFinite(at) ? at : null
}

/** One text in the place of all texts; calls, images and whatever else there is stay where they are. */
function withText(content: unknown, text: string): unknown {
  if (!Array.isArray(content)) return text
  const isText = (block: unknown) => typeof block === 'string' || (isObject(block) && block.type === 'text')
  const others = content.filter((block) => !isText(block))
  return [{ type: 'text', text }, ...others]
}

function isSummary({ content }: ContentMessage): boolean {
  return typeof content === 'string' && content.startsWith(SUMMARY_START)
}
