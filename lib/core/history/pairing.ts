import type { HistoryMessage } from './message'

/** Tool results that no earlier call waits for (by index), and calls that nothing answers (by id). */
export type Unpaired = { readonly orphans: readonly number[]; readonly unanswered: readonly string[] }

export function isResult(message: HistoryMessage): boolean {
  return message.role === 'toolResult' || message.resultFor !== undefined
}

/**
 * Checks that every tool result answers exactly one call before it. An id that a later call uses again counts anew; a
 * second result for one call is an orphan; a result without an id answers the oldest open call.
 */
export function findUnpaired(messages: readonly HistoryMessage[]): Unpaired {
  const open = new Map<string, number>()
  const orphans: number[] = []
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at]
    if (message === undefined) continue
    if (message.calls) for (const { id } of message.calls) open.set(id, (open.get(id) ?? 0) + 1)
    if (isResult(message) && !answer(open, message.resultFor)) orphans.push(at)
  }
  return { orphans, unanswered: [...open].flatMap(([id, times]) => new Array<string>(times).fill(id)) }
}

/** The messages without orphaned results; the same list when there are none (C8). */
export function withoutOrphans<M extends HistoryMessage>(messages: readonly M[]): readonly M[] {
  const { orphans } = findUnpaired(messages)
  if (orphans.length === 0) return messages
  const gone = new Set(orphans)
  return messages.filter((_, index) => !gone.has(index))
}

function answer(open: Map<string, number>, resultFor: string | undefined): boolean {
  const id = resultFor ?? open.keys().next().value
  const times = id === undefined ? undefined : open.get(id)
  if (id === undefined || times === undefined) return false
  if (times > 1) open.set(id, times - 1)
  else open.delete(id)
  return true
}
