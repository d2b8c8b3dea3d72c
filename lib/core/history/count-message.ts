import { estimateUnits, type TextEstimator } from '../tokens/estimate'
import { contentUnits } from '../transcript/read-content'
import { joinParts, splitMessages } from './message-parts'
import { type MessagePart, ORIGIN } from './part-origin'
import type { ContentMessage } from './thinking'

/**
 * What an API charges for a message besides its content: role and delimiters. Tokens; OpenAI's count for its chat
 * models is 3 and 1 for a name, Anthropic's measured ones lie about there.
 */
const FRAME_TOKENS = 4

/**
 * Tokens of a message of any API, with calls, results, thinking and images in it: estimated (about ± 15 %), nothing of
 * it left out. Messages of several results count as so many.
 * @param estimate sizes the texts; ours unless another counter is plugged in
 *
 * @example
 * ```ts
 * import { countMessage } from 'plimsoll-agent'
 *
 * countMessage({ role: 'user', content: 'Which berth is free?' }) // tokens
 * ```
 */
export function countMessage(message: ContentMessage, estimate: TextEstimator = estimateUnits): number {
  let tokens = 0
  for (const part of splitMessages([message]))
    tokens += FRAME_TOKENS + contentUnits(contentOf(part), estimate)
  return tokens
}

/**
 * The same of one part (`splitMessages`): as much as its messages take, where it is all of them, else as much as a
 * message that holds nothing else.
 */
export function countPart(part: MessagePart, estimate: TextEstimator): number {
  const origin = part[ORIGIN]
  if (origin?.parts.length === 1 && origin.messages.length === 1)
    return FRAME_TOKENS + contentUnits(contentOf(part), estimate)
  return joinParts([part]).reduce((sum, message) => sum + countMessage(message, estimate), 0)
}

/** What is sent of a message; shell runs and summaries of pi and OpenClaw keep it under their own names. */
function contentOf(message: ContentMessage & { readonly [field: string]: unknown }): unknown {
  if (message.role === 'bashExecution') return [message.command, message.output]
  // Chat Completions keep a refusal beside the content.
  if (typeof message.refusal === 'string') return [message.content ?? '', message.refusal]
  // Items that have a role, and what they say elsewhere: the definitions of tools.
  const isItem = message.content === undefined && typeof message.type === 'string'
  return isItem ? [message] : (message.content ?? message.summary)
}
