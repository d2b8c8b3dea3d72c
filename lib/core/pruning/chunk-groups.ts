import type { HistoryMessage } from '../history/message'
import { isResult } from '../history/pairing'

/**
 * The chunks of a context, as places of their messages: a message alone, or a call together with all its results,
 * wherever they are. What happens to a chunk as a whole can therefore never leave half a pair behind. Ids are matched
 * as the check of pairs does it (`findUnpaired`).
 */
export function chunkGroups(messages: readonly HistoryMessage[]): number[][] {
  const groups: number[][] = []
  const open = new Map<string, number[][]>()
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at]
    if (message === undefined) continue
    let group = isResult(message) ? answered(open, message.resultFor) : undefined
    if (group === undefined) {
      group = []
      groups.push(group)
    }
    group.push(at)
    for (const { id } of message.calls ?? []) {
      const waiting = open.get(id)
      if (waiting === undefined) open.set(id, [group])
      else waiting.push(group)
    }
  }
  return groups
}

/** The group of the call that a result answers: the oldest one that waits under its id, or at all without an id. */
function answered(open: Map<string, number[][]>, resultFor: string | undefined): number[] | undefined {
  const id = resultFor ?? open.keys().next().value
  if (id === undefined) return undefined
  const waiting = open.get(id)
  if (waiting === undefined) return undefined
  const group = waiting.shift()
  if (waiting.length === 0) open.delete(id)
  return group
}
