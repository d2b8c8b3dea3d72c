import { blockKind, textOfBlock } from '../transcript/blocks'
import { isObject, type JsonObject, jsonText } from '../transcript/json'

/** What OpenClaw's pruner charges for an image, and for a message of a role that it does not know. Characters. */
const [IMAGE_CHARS, OTHER_CHARS, UNREADABLE_CHARS] = [8000, 256, 128] as const

/** What is where an image was, once pruning has made text of a result (OpenClaw 2026.7.1). */
export const IMAGE_MARKER = '[image removed during context pruning]'

const WIDE =
  /[\u2E80-\u9FFF\uA000-\uA4FF\uAC00-\uD7AF\uF900-\uFAFF\uFF01-\uFF60\uFFE0-\uFFE6\u{20000}-\u{2FA1F}]/gu
const WIDE_PAIRS = /[\uD840-\uD87E][\uDC00-\uDFFF]/g
const MAYBE_WIDE = /[\u2E80-\uFFFF]/

/**
 * Length of a text as OpenClaw's pruner weighs it: signs of scripts that take about a token each count four times, so
 * that a quarter of the sum stays a fair guess at tokens.
 */
export function weighedChars(text: string): number {
  if (!MAYBE_WIDE.test(text)) return text.length
  const wide = text.match(WIDE)?.length ?? 0
  if (wide === 0) return text.length
  return text.length - (text.match(WIDE_PAIRS)?.length ?? 0) + wide * 3
}

/** Characters that OpenClaw's pruner charges for a message, thinking with its signature included (2026.7.1). */
export function messageChars(message: JsonObject): number {
  switch (message.role) {
    case 'user':
    case 'toolResult':
      return contentChars(message.content)
    case 'assistant':
      return assistantChars(message.content)
    default:
      return OTHER_CHARS
  }
}

/** Characters of the arguments of a call. */
export function argumentChars(value: unknown): number {
  try {
    return JSON.stringify(value ?? {}).length
  } catch {
    return UNREADABLE_CHARS
  }
}

/** The text of a text block; null for any other block. One without a text counts as its JSON. */
export function blockText(block: unknown): string | null {
  if (typeof block === 'string') return block
  if (!isObject(block) || blockKind(block) !== 'text') return null
  if (block.type !== 'text') return textOfBlock(block)
  return typeof block.text === 'string' ? block.text : jsonText(block) || '[malformed text block]'
}

export function isImageBlock(block: unknown): boolean {
  return blockKind(block) === 'image'
}

function contentChars(content: unknown): number {
  if (typeof content === 'string') return weighedChars(content)
  if (!Array.isArray(content)) return 0
  let chars = 0
  for (const block of content) {
    const text = blockText(block)
    if (text !== null) chars += weighedChars(text)
    else if (isImageBlock(block)) chars += IMAGE_CHARS
  }
  return chars
}

function assistantChars(content: unknown): number {
  if (typeof content === 'string') return weighedChars(content)
  if (!Array.isArray(content)) return 0
  let chars = 0
  for (const block of content) {
    if (!isObject(block)) continue
    if (block.type === 'text') chars += charsOf(block.text)
    else if (block.type === 'thinking' || block.type === 'redacted_thinking') {
      chars += charsOf(block.thinking) + charsOf(block.thinkingSignature)
      if (block.type === 'redacted_thinking') chars += charsOf(block.data)
    } else if (block.type === 'toolCall') chars += argumentChars(block.arguments)
  }
  return chars
}

function charsOf(value: unknown): number {
  return typeof value === 'string' ? weighedChars(value) : 0
}
