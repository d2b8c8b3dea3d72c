import { blockKind } from '../transcript/blocks'
import { isObject, type JsonObject } from '../transcript/json'
import { type MessagePart, ORIGIN, type PartOrigin } from './part-origin'
import { withResultContent } from './result-output'
import type { ContentMessage } from './thinking'
import { uiPartsOf, uiRejoined } from './ui-parts'

/** Makes messages of some parts of an agent's own, some of which may have changed, in the form in which those came. */
export function rejoined(
  { messages, parts }: Pick<PartOrigin, 'messages' | 'parts'>,
  group: readonly MessagePart[],
): readonly ContentMessage[] {
  const [message] = messages
  const [part] = group
  if (message === undefined || part === undefined || !isObject(message)) return messages
  if (uiPartsOf(message) !== null) return [uiRejoined(message, { parts }, group)]
  if (messages.length > 1 || (message.role === undefined && blockKind(message) !== 'result'))
    return answerItems(part.content)
  if (part[ORIGIN]?.places != null) return [{ ...message, content: blocksOf(message, group, parts) }]
  if (message.role === undefined) return [withResultContent(message, part.content)]
  if (part.role === 'assistant') return [withAnswer(message, part.content)]
  return [{ ...message, content: part.content }]
}

/** Items of Responses; a text that was put in their place is its own message. */
function answerItems(content: unknown): readonly ContentMessage[] {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [{ type: 'text', text: content }]
  return blocks.flatMap((block): ContentMessage[] => {
    if (!isObject(block)) return []
    if (block.type !== 'text') return [block]
    return [
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: block.text, annotations: [] }],
      },
    ]
  })
}

/** The blocks that the parts hold, each where it was. */
function blocksOf(
  message: JsonObject,
  group: readonly MessagePart[],
  parts: readonly MessagePart[],
): unknown[] {
  const content: readonly unknown[] = Array.isArray(message.content) ? message.content : []
  const placed = group.flatMap((part): { at: number; block: unknown }[] => {
    const { places, at } = part[ORIGIN] ?? {}
    const [first = 0] = places ?? []
    if (part === parts[at ?? -1]) return (places ?? []).map((place) => ({ at: place, block: content[place] }))
    if (part.role !== 'toolResult') {
      const blocks = Array.isArray(part.content) ? part.content : [{ type: 'text', text: part.content }]
      return blocks.map((block) => ({ at: first, block }))
    }
    const block = content[first]
    return isObject(block) ? [{ at: first, block: withResultContent(block, part.content) }] : []
  })
  return placed.sort((a, b) => a.at - b.at).map(({ block }) => block)
}

/** An answer whose calls may be beside its content, as in Chat Completions. */
function withAnswer(message: JsonObject, content: unknown): ContentMessage {
  if (!Array.isArray(message.tool_calls) || !Array.isArray(content)) return { ...message, content }
  const calls = content.filter((block) => blockKind(block) === 'call')
  const rest = content.filter((block) => blockKind(block) !== 'call')
  const { tool_calls: _calls, ...others } = message
  return {
    ...others,
    content: Array.isArray(message.content) ? rest : textOrNull(rest, message.content),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
}

function textOrNull(blocks: readonly unknown[], before: unknown): unknown {
  if (blocks.length === 0) return before === null || before === undefined ? null : ''
  const texts = blocks.map((block) => (isObject(block) && typeof block.text === 'string' ? block.text : null))
  return texts.every((text) => text !== null) ? texts.join('\n') : blocks
}
