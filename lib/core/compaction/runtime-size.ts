import { isObject, type JsonObject, jsonText, stringOf } from '../transcript/json'

/**
 * What the runtimes charge for an image, in characters (lib/docs/openclaw.md#sizes): up to 2026.7.1 and pi, and 2026.9.
 */
const IMAGE_CHARS = { pi: 4_800, openclaw: 4_800, 'openclaw-9': 8_000 } as const

export type RuntimeKind = keyof typeof IMAGE_CHARS

/**
 * Tokens that a runtime's own compaction charges for an entry: a quarter of its characters, rounded up. Only for
 * deciding as the runtime decides, never for show. 0 for entries that are no messages; `custom_message` and summaries
 * of branches are passed over by the walk that uses this, and count in contexts.
 */
export function runtimeTokens(
  entry: JsonObject,
  kind: RuntimeKind,
  lengthOf: LengthOf = plainLength,
): number {
  const message = messageOf(entry)
  return message === null ? 0 : Math.ceil(charsOf(message, kind, lengthOf) / 4)
}

/** UTF-16 units of a text, which may be known without the text itself. */
export type LengthOf = (text: string) => number

const plainLength: LengthOf = ({ length }) => length

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

function charsOf(message: JsonObject, kind: RuntimeKind, lengthOf: LengthOf): number {
  const image = ({ type }: JsonObject) => (type === 'image' ? IMAGE_CHARS[kind] : 0)
  const sizeOf = (value: unknown) => lengthOf(stringOf(value) ?? '')
  switch (message.role) {
    // pi charges nothing for an image that the user sends.
    case 'user':
      return contentChars(message.content, lengthOf, kind === 'pi' ? () => 0 : image)
    case 'assistant':
      return assistantChars(message.content, lengthOf)
    case 'custom':
    case 'toolResult':
      return contentChars(message.content, lengthOf, image)
    case 'bashExecution':
      return sizeOf(message.command) + sizeOf(message.output)
    case 'branchSummary':
    case 'compactionSummary':
      return sizeOf(message.summary)
    default:
      return 0
  }
}

/** @param others characters of a block that is no text */
function contentChars(content: unknown, lengthOf: LengthOf, others: (block: JsonObject) => number): number {
  if (typeof content === 'string') return lengthOf(content)
  if (!Array.isArray(content)) return 0
  let chars = 0
  for (const block of content) {
    if (!isObject(block)) continue
    chars += block.type === 'text' ? lengthOf(stringOf(block.text) ?? '') : others(block)
  }
  return chars
}

function assistantChars(content: unknown, lengthOf: LengthOf): number {
  return contentChars(content, lengthOf, (block) => {
    if (block.type === 'thinking') return lengthOf(stringOf(block.thinking) ?? '')
    if (block.type !== 'toolCall') return 0
    return lengthOf(stringOf(block.name) ?? '') + jsonText(block.arguments).length
  })
}
