import { isObject, type JsonObject, jsonText, stringOf } from '../transcript/json'

/** What the runtimes charge for an image, in characters (openclaw.md §3.1): up to 2026.7.1 and pi, and 2026.9. */
export const IMAGE_CHARS = { pi: 4_800, openclaw: 4_800, 'openclaw-9': 8_000 } as const

export type RuntimeKind = keyof typeof IMAGE_CHARS

/**
 * Tokens that a runtime's own compaction charges for an entry: a quarter of its characters, rounded up. Only for
 * deciding as the runtime decides, never for show. 0 for entries that are no messages; `custom_message` and summaries
 * of branches are passed over by the walk that uses this, and count in contexts.
 */
export function runtimeTokens(entry: JsonObject, kind: RuntimeKind): number {
  const message = messageOf(entry)
  return message === null ? 0 : Math.ceil(charsOf(message, IMAGE_CHARS[kind], kind) / 4)
}

function messageOf(entry: JsonObject): JsonObject | null {
  switch (entry.type) {
    case 'message':
      return isObject(entry.message) ? entry.message : null
    case 'custom_message':
      return { role: 'custom', content: entry.content }
    case 'branch_summary':
      return { role: 'branchSummary', summary: entry.summary }
    case 'compaction':
      return { role: 'compactionSummary', summary: entry.summary }
    default:
      return null
  }
}

function charsOf(message: JsonObject, imageChars: number, kind: RuntimeKind): number {
  switch (message.role) {
    // pi charges nothing for an image that the user sends.
    case 'user':
      return contentChars(message.content, kind === 'pi' ? 0 : imageChars)
    case 'assistant':
      return assistantChars(message.content)
    case 'custom':
    case 'toolResult':
      return contentChars(message.content, imageChars)
    case 'bashExecution':
      return lengthOf(message.command) + lengthOf(message.output)
    case 'branchSummary':
    case 'compactionSummary':
      return lengthOf(message.summary)
    default:
      return 0
  }
}

function contentChars(content: unknown, imageChars: number): number {
  if (typeof content === 'string') return content.length
  if (!Array.isArray(content)) return 0
  let chars = 0
  for (const block of content) {
    if (!isObject(block)) continue
    if (block.type === 'text') chars += lengthOf(block.text)
    else if (block.type === 'image') chars += imageChars
  }
  return chars
}

function assistantChars(content: unknown): number {
  if (typeof content === 'string') return content.length
  if (!Array.isArray(content)) return 0
  let chars = 0
  for (const block of content) {
    if (!isObject(block)) continue
    if (block.type === 'text') chars += lengthOf(block.text)
    else if (block.type === 'thinking') chars += lengthOf(block.thinking)
    else if (block.type === 'toolCall') chars += lengthOf(block.name) + jsonText(block.arguments).length
  }
  return chars
}

function lengthOf(value: unknown): number {
  return stringOf(value)?.length ?? 0
}
