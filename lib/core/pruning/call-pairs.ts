import type { PruneCall, PruneMessage } from './prune-message'

/** A call of a tool and where its result is. */
export type CallPair = {
  /** Place of the message that makes the call, and of the call among its calls. */
  readonly at: number
  readonly index: number
  readonly call: PruneCall
  /** Place of the result; null while there is none. */
  readonly result: number | null
}

/**
 * The calls of a context in their order, each with its result. Ids are matched as the check of pairs does it
 * (`findUnpaired`): the oldest open call of an id is answered first, and one without an id answers the oldest of all.
 */
export function callPairs(messages: readonly PruneMessage[]): CallPair[] {
  const pairs: (CallPair & { result: number | null })[] = []
  /** Places of the open calls of each id; a list only where an id is open more than once. */
  const open = new Map<string, number | number[]>()
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at]
    if (message === undefined) continue
    const [only, second] = message.calls
    if (only !== undefined && second === undefined && open.size === 0 && isAnswer(messages[at + 1], only)) {
      // By far the most calls are answered right behind them; those need no keeping of accounts.
      pairs.push({ at, index: 0, call: only, result: at + 1 })
      at += 1
      continue
    }
    for (const [index, call] of message.calls.entries()) {
      const waiting = open.get(call.id)
      if (waiting === undefined) open.set(call.id, pairs.length)
      else if (typeof waiting === 'number') open.set(call.id, [waiting, pairs.length])
      else waiting.push(pairs.length)
      pairs.push({ at, index, call, result: null })
    }
    if (message.role !== 'toolResult') continue
    const id = message.resultFor ?? open.keys().next().value
    if (id === undefined) continue
    const waiting = open.get(id)
    if (waiting === undefined) continue
    const pair = pairs[typeof waiting === 'number' ? waiting : (waiting.shift() ?? -1)]
    if (typeof waiting === 'number' || waiting.length === 0) open.delete(id)
    if (pair !== undefined) pair.result = at
  }
  return pairs
}

function isAnswer(message: PruneMessage | undefined, call: PruneCall): boolean {
  return message?.role === 'toolResult' && (message.resultFor ?? call.id) === call.id
}
