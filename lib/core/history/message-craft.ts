import { blockKind, callNameOf } from '../transcript/blocks'
import { isObject, type JsonObject } from '../transcript/json'
import { isResult } from './pairing'
import type { MessageCraft, ProviderFamily } from './provider-order'
import { missingOutput } from './result-output'
import type { ContentMessage } from './thinking'
import { uiPartsOf } from './ui-parts'

/** What a history that would begin with an answer begins with instead. */
const OPENING = '(continue)'

/** What is where a result is missing. */
const NO_RESULT = 'No result was recorded for this call.'

/** How messages of any API are merged, opened and renamed for a provider: blocks stay as they are. */
export function messageCraft<M extends ContentMessage>(fromText: (text: string) => M): MessageCraft<M> {
  return {
    mayMerge: (first, next) => isPlain(first) && isPlain(next) && first.role === next.role,
    merge: (first, next) => ({
      ...first,
      content: joined(first.content, next.content),
      ...(next.tool_calls === undefined ? {} : { tool_calls: next.tool_calls }),
    }),
    opening: () => fromText(OPENING),
    rename: renamed,
  }
}

/** Messages of the two sides themselves, with content; what runtimes keep besides has fields that would be lost. */
function isPlain({ role, content, type, tool_calls }: ContentMessage): boolean {
  const isBare = tool_calls !== undefined && content == null
  if (typeof content !== 'string' && !Array.isArray(content) && !isBare) return false
  return role === 'user' || (role === 'assistant' && type === undefined)
}

function joined(first: unknown, next: unknown): unknown {
  if (first == null || next == null) return first ?? next
  if (typeof first === 'string' && typeof next === 'string') return `${first}\n\n${next}`
  const blocks = [first, next].flatMap((content): readonly unknown[] =>
    Array.isArray(content) ? content : [content],
  )
  const type = blocks.some((block) => isObject(block) && block.type === 'input_text') ? 'input_text' : 'text'
  const all = blocks.map((block) => (typeof block === 'string' ? { type, text: block } : block))
  // Results come first in a message of the user.
  const isResultBlock = (block: unknown) => blockKind(block) === 'result'
  return [...all.filter(isResultBlock), ...all.filter((block) => !isResultBlock(block))]
}

/** Fields that name a call; a message's own `id` is no such name. */
const ID_FIELDS = [
  'call_id',
  'callId',
  'toolCallId',
  'toolUseId',
  'tool_call_id',
  'tool_use_id',
  'approvalId',
  'approval_request_id',
  'resultFor',
]

function renamed<M extends ContentMessage>(message: M, ids: ReadonlyMap<string, string>): M {
  const idOf = (value: unknown) => (typeof value === 'string' ? (ids.get(value) ?? value) : value)
  const withIds = (holder: JsonObject, fields: readonly string[]): JsonObject => {
    const named = fields.filter((field) => idOf(holder[field]) !== holder[field])
    return named.length === 0
      ? holder
      : { ...holder, ...Object.fromEntries(named.map((f) => [f, idOf(holder[f])])) }
  }
  const block = (one: unknown) => {
    const kind = blockKind(one)
    if (!isObject(one) || (kind !== 'call' && kind !== 'result')) return one
    return withIds(one, kind === 'call' ? ['id', ...ID_FIELDS] : ID_FIELDS)
  }
  const { content, tool_calls, calls } = message
  const parts = uiPartsOf(message)
  return {
    ...message,
    ...(isObject(message) ? withIds(message, ID_FIELDS) : {}),
    ...(parts === null ? {} : { parts: parts.map(block) }),
    ...(Array.isArray(content) ? { content: content.map(block) } : {}),
    ...(Array.isArray(tool_calls) ? { tool_calls: tool_calls.map(block) } : {}),
    ...(calls === undefined ? {} : { calls: calls.map(({ id }) => ({ id: ids.get(id) ?? id })) }),
  }
}

/**
 * The result in place of a missing one, in the form of the API whose call it answers; null where that has none that could
 * say so.
 */
export function gapResult(call: ContentMessage, id: string): ContentMessage | null {
  const blocks: readonly unknown[] = Array.isArray(call.content) ? call.content : []
  const block = blocks.find((one) => isObject(one) && Object.values(one).includes(id))
  const made = isObject(block) ? block : {}
  const toolName = callNameOf(made)
  const text = NO_RESULT
  switch (made.type) {
    case 'tool_use':
      return {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: text, is_error: true }],
      }
    case 'function':
    case 'custom':
      return { role: 'tool', tool_call_id: id, content: text }
    case 'tool-call': {
      const output = { type: 'error-text', value: text }
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName, output }] }
    }
    default:
      return isItem(made)
        ? missingOutput(made, id, text)
        : {
            role: 'toolResult',
            resultFor: id,
            toolCallId: id,
            toolName,
            isError: true,
            content: [{ type: 'text', text }],
          }
  }
}

/** An item of Responses, or an approval of the AI SDK: what answers it follows from its type alone. */
function isItem({ type }: JsonObject): boolean {
  return typeof type === 'string' && /_call$|^mcp_|^program$|^tool-approval/.test(type)
}

/** Which rules a history must meet when no provider is named: Anthropic's where its blocks are in it. */
export function familyOf(messages: readonly ContentMessage[]): ProviderFamily {
  const types = new Set(['tool_use', 'tool_result', 'server_tool_use', 'redacted_thinking'])
  const isAnthropic = messages.some(
    (message) =>
      !isResult(message) &&
      Array.isArray(message.content) &&
      message.content.some((block) => isObject(block) && types.has(String(block.type))),
  )
  return isAnthropic ? 'anthropic' : 'other'
}
