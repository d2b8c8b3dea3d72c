import { jsonText } from '../transcript/json'
import { isFailedResult } from './failures'
import type { SourceMessage } from './source-message'

/** A result is shown to a summariser with so many characters of its beginning; failed ones with their end too. */
const [RESULT_CHARS, FAILED_TAIL] = [2_000, 600]
/** Arguments of a call. */
const ARGUMENT_CHARS = 1_000

/**
 * Messages as plain text for a summariser, which must read them and not answer them. Neither thinking nor `details` of
 * results are in it, images only as a word.
 * @param mask replaces what must not leave the machine, such as credentials
 */
export function serializeMessages(
  messages: readonly SourceMessage[],
  mask: (text: string) => string = (text) => text,
): string {
  return messages
    .map((message) => blockOf(message, mask))
    .filter((block) => block !== '')
    .join('\n\n')
}

function blockOf(message: SourceMessage, mask: (text: string) => string): string {
  const text = bounded({ ...message, text: mask(message.text) }).trim()
  const images = message.images > 0 ? ` [${message.images} image${message.images > 1 ? 's' : ''}]` : ''
  const calls = message.calls.map(
    ({ name, input }) => `${name} ${cut(mask(jsonText(input)), ARGUMENT_CHARS)}`,
  )
  const made = calls.map((call) => `[tool call] ${call}`)
  if (text === '' && images === '' && made.length === 0) return ''
  const said = text === '' && images === '' ? [] : [`[${labelOf(message)}]${images} ${text}`]
  return [...said, ...made].join('\n')
}

function labelOf(message: SourceMessage): string {
  switch (message.role) {
    case 'toolResult':
      return isFailedResult(message)
        ? `failed result of ${message.toolName ?? 'a tool'}`
        : `result of ${message.toolName ?? 'a tool'}`
    case 'summary':
      return 'earlier summary'
    case 'other':
      return 'note'
    default:
      return message.role
  }
}

function bounded(message: SourceMessage): string {
  const { text } = message
  if (message.role !== 'toolResult' || text.length <= RESULT_CHARS) return text
  if (!isFailedResult(message)) return cut(text, RESULT_CHARS)
  const head = text.slice(0, RESULT_CHARS - FAILED_TAIL)
  const left = text.length - RESULT_CHARS
  return `${head}\n[… ${left} characters left out …]\n${text.slice(-FAILED_TAIL)}`
}

function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  return `${text.slice(0, limit)} [… ${text.length - limit} characters left out]`
}
