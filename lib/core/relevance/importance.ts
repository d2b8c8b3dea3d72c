import type { Role } from '../transcript/entry'

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
