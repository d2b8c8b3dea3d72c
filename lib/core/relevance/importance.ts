import type { Role } from '../transcript/entry'
import { isObject, type JsonObject } from '../transcript/json'

/**
 * Whether a message is marked as important: by the runtime's own flag, or by its writer, with a line that begins with
 * `IMPORTANT:`, `[important]` or `#important`. Only users and the operator's notes can mark by text; what a tool
 * returned or a model wrote must not be able to make itself stay.
 */
export function isImportant(message: {
  readonly important?: boolean
  readonly role?: Role
  readonly text: string
}): boolean {
  if (message.important === true) return true
  return message.role === 'user' && MARK.test(message.text)
}

const MARK = /^[ \t>*_-]{0,8}(IMPORTANT[*_]{0,2}:|\[important\]|#important\b)/im

/**
 * The same for an entry of a transcript.
 * @param whole the text that a text of the entry takes the place of
 */
export function isMarkedEntry(
  { type, important, message }: JsonObject,
  whole: (text: string) => string,
): boolean {
  if (type !== 'message' || !isObject(message)) return false
  if (important === true || message.important === true) return true
  if (message.role !== 'user') return false
  const { content } = message
  if (typeof content === 'string') return MARK.test(whole(content))
  if (!Array.isArray(content)) return false
  return content.some(
    (block) =>
      isObject(block) &&
      block.type === 'text' &&
      typeof block.text === 'string' &&
      MARK.test(whole(block.text)),
  )
}
