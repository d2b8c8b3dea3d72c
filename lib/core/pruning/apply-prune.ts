import type { Policy } from '../policy/policy'
import { callInputOf, withCallInput } from '../transcript/blocks'
import type { JsonObject } from '../transcript/json'
import { clearedArguments } from './cleared-arguments'
import type { PruneDecision } from './prune-decision'
import { isCallBlock, partsOf } from './prune-message'
import { isImageBlock } from './pruner-chars'
import { trimmedText } from './trimmed-text'

type Applied = Pick<PruneDecision, 'call' | 'action'>

/**
 * A message as it is sent once it is pruned: a copy in which the texts decided on are shorter. Who it is from, which
 * call it answers, which calls it makes and whether it failed stay as they are, so no pair is ever broken.
 * @param decisions those about this message
 */
export function prunedMessage<M extends object>(
  message: M,
  decisions: readonly Applied[],
  knobs: Pick<Policy['pruning'], 'placeholder' | 'cacheTtl'>,
): M {
  if (decisions.length === 0) return message
  const content = 'content' in message ? message.content : undefined
  const result = decisions.find(({ call }) => call === null)
  if (result !== undefined) return { ...message, content: shortenedResult(content, result, knobs) }
  const calls = new Set(decisions.map(({ call }) => call))
  return { ...message, content: withoutArguments(content, calls) }
}

function shortenedResult(
  content: unknown,
  { action }: Applied,
  { placeholder, cacheTtl }: Pick<Policy['pruning'], 'placeholder' | 'cacheTtl'>,
): unknown {
  // Where a runtime keeps a plain text, it gets one.
  const asText = (text: string) => (typeof content === 'string' ? text : [{ type: 'text', text }])
  if (action === 'clear') return asText(placeholder)
  const images = Array.isArray(content) ? content.filter(isImageBlock).length : 0
  const text = trimmedText({ parts: partsOf(content), images }, cacheTtl)
  return text === null ? content : asText(text)
}

function withoutArguments(content: unknown, calls: ReadonlySet<number | null>): unknown {
  if (!Array.isArray(content)) return content
  let call = -1
  return content.map((block: unknown) => {
    if (!isCallBlock(block)) return block
    call += 1
    return calls.has(call) ? withClearedInput(block) : block
  })
}

/** Under whichever name the runtime keeps them. */
function withClearedInput(block: JsonObject): JsonObject {
  const cleared = withCallInput(block, clearedArguments(callInputOf(block)))
  // What is left of a call's streamed text is no use beside other arguments.
  const { partialJson: _streamed, ...rest } = cleared
  return rest
}
