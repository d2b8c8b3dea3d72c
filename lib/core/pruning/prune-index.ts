import { type CallPair, callPairs } from './call-pairs'
import { type FileUse, fileUses } from './file-uses'
import type { PruneMessage } from './prune-message'

/**
 * What rules ask of the messages of a context whatever the policy says. Made once for a context, so that plans can be
 * made of it again and again while knobs move; figures are in columns by place, for contexts of tens of thousands.
 */
export type PruneIndex = {
  readonly messages: readonly PruneMessage[]
  readonly pairs: readonly CallPair[]
  /** By pair: the same number for calls of one tool in the same words; −1 where that cannot be said. */
  readonly wordsOf: Int32Array
  /** So many different calls there are. */
  readonly words: number
  readonly files: ReadonlyMap<string, readonly FileUse[]>
  /** Tool of the result at a place, as the result or else its call says; '' at other places. */
  readonly tools: readonly string[]
  readonly tokens: Float64Array
  /** Characters of the messages. */
  readonly size: Float64Array
}

export function pruneIndex(messages: readonly PruneMessage[]): PruneIndex {
  const pairs = callPairs(messages)
  const tools = new Array<string>(messages.length).fill('')
  const tokens = new Float64Array(messages.length)
  const size = new Float64Array(messages.length)
  for (const [at, message] of messages.entries()) {
    tools[at] = message.toolName
    tokens[at] = message.tokens
    size[at] = message.chars
  }
  for (const { call, result } of pairs) if (result !== null && tools[result] === '') tools[result] = call.name
  const known = new Map<string, number>()
  const wordsOf = new Int32Array(pairs.length).fill(-1)
  for (const [place, { call }] of pairs.entries()) {
    const { key } = call
    if (key === '') continue
    const number = known.get(key) ?? known.size
    if (number === known.size) known.set(key, number)
    wordsOf[place] = number
  }
  return {
    messages,
    pairs,
    wordsOf,
    words: known.size,
    files: fileUses(messages, pairs),
    tools,
    tokens,
    size,
  }
}
