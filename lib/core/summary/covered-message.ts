import { maskValue } from '../logs/mask-value'
import { isObject } from '../transcript/json'
import type { SourceMessage } from './source-message'

/** Covers nothing: for conversations of which no credential is known. */
export const uncovered = (text: string): string => text

/**
 * A message with what must not be passed on covered, in its text and in the arguments of its calls. Covering comes before
 * anything is taken out of a message: a credential without the name before it is not known for one.
 */
export function coveredMessage(message: SourceMessage, mask: (text: string) => string): SourceMessage {
  if (mask === uncovered) return message
  const text = mask(message.text)
  if (message.calls.length === 0) return text === message.text ? message : { ...message, text }
  const calls = message.calls.map((call) => {
    const input = maskValue('', call.input, mask)
    return isObject(input) ? { ...call, input } : call
  })
  return { ...message, text, calls }
}
