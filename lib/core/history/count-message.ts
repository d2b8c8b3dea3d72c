import { estimateUnits, type TextEstimator } from '../tokens/estimate'
import { blockKind } from '../transcript/blocks'
import { isObject, type JsonObject } from '../transcript/json'
import { contentUnits } from '../transcript/reading/read-content'
import { callsBeside, isAnswerItem, joinParts, resultSaid, splitMessages, withBeside } from './message-parts'
import { type MessagePart, ORIGIN } from './part-origin'
import type { ContentMessage } from './thinking'
import { uiPartsOf } from './ui-parts'

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
  const own: MessagePart & JsonObject = message as MessagePart & JsonObject
  const { role, content } = own
  if (own[ORIGIN] === undefined) {
    if (role === undefined && blockKind(own) === 'result')
      return FRAME_TOKENS + contentUnits(resultSaid(own, own), estimate)
    if (role === undefined && isAnswerItem(own)) return FRAME_TOKENS + contentUnits([own], estimate)
    if (uiPartsOf(own) !== null) return countViews(own, estimate)
    if (role === 'assistant' || role === 'model') {
      const beside = callsBeside(own)
      if (beside.length > 0)
        return FRAME_TOKENS + contentUnits(contentOf(own, withBeside(content, beside)), estimate)
    } else if (Array.isArray(content)) {
      const results = resultUnits(own, content, estimate)
      if (results !== null) return results
    }
  }
  return FRAME_TOKENS + contentUnits(contentOf(own), estimate)
}

/** A message that holds a whole turn. */
function countViews(message: ContentMessage, estimate: TextEstimator): number {
  let tokens = 0
  for (const part of splitMessages([message]))
    tokens += FRAME_TOKENS + contentUnits(contentOf(part), estimate)
  return tokens
}

/** Each result of a message counts as one, and what else it says as another; null: there is no result in it. */
function resultUnits(
  message: ContentMessage & JsonObject,
  content: readonly unknown[],
  estimate: TextEstimator,
): number | null {
  let tokens = 0
  let rest: unknown[] | null = null
  for (let at = 0; at < content.length; at++) {
    const block = content[at]
    if (isObject(block) && blockKind(block) === 'result')
      tokens += FRAME_TOKENS + contentUnits(resultSaid(block, message), estimate)
    else if (rest === null) rest = [block]
    else rest.push(block)
  }
  if (tokens === 0) return null
  return rest === null ? tokens : tokens + FRAME_TOKENS + contentUnits(contentOf(message, rest), estimate)
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
function contentOf(
  message: ContentMessage & { readonly [field: string]: unknown },
  content: unknown = message.content,
): unknown {
  if (message.role === 'bashExecution') return [message.command, message.output]
  // Chat Completions keep a refusal beside the content.
  if (typeof message.refusal === 'string') return [content ?? '', message.refusal]
  // Items that have a role, and what they say elsewhere: the definitions of tools.
  const isItem = content === undefined && typeof message.type === 'string'
  return isItem ? [message] : (content ?? message.summary)
}
