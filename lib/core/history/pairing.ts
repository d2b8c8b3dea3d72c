import { append } from '../lists/long-lists'
import { blockKind } from '../transcript/blocks'
import type { HistoryMessage } from './message'
import { isReference, joinParts, splitMessages } from './message-parts'
import type { ContentMessage } from './thinking'

/** Tool results that no earlier call waits for (by index), and calls that nothing answers (by id). */
export type Unpaired = { readonly orphans: readonly number[]; readonly unanswered: readonly string[] }

/** Roles under which APIs keep nothing but the result of a tool. */
const RESULT_ROLES: ReadonlySet<unknown> = new Set(['toolResult', 'tool', 'function'])

export function isResult(message: ContentMessage): boolean {
  if (RESULT_ROLES.has(message.role) || message.resultFor !== undefined) return true
  return message.role === undefined && blockKind(message) === 'result'
}

/**
 * Checks that every tool result answers exactly one call before it, in messages of any API. An id that a later call
 * uses again counts anew; a second result for one call is an orphan; a result without an id answers the oldest open
 * call. A message counts as an orphan when one of its results is.
 *
 * @example
 * ```ts
 * import { findUnpaired } from 'plimsoll-agent'
 *
 * const { orphans, unanswered } = findUnpaired([{ role: 'tool', resultFor: 'call_1' }])
 * ```
 */
export function findUnpaired(messages: readonly HistoryMessage[]): Unpaired {
  const pairs = new OpenCalls()
  const orphans = messages.flatMap((message, at) => (pairs.orphansOf(message).length > 0 ? [at] : []))
  return { orphans, unanswered: pairs.unanswered() }
}

/**
 * The messages without orphaned results; the same list when there are none. Of a message with several results only
 * the orphaned ones go.
 */
export function withoutOrphans<M extends HistoryMessage>(messages: readonly M[]): readonly M[] {
  const pairs = new OpenCalls()
  /** null as long as all are kept. */
  let kept: M[] | null = null
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at] as M
    const gone = pairs.orphansOf(message)
    if (gone.length === 0) kept?.push(message)
    else {
      kept ??= messages.slice(0, at)
      append(kept, joinParts(splitMessages([message]).filter((part) => !gone.includes(part))))
    }
  }
  return kept ?? messages
}

/** Calls that wait for their results, while messages are walked over in their order. */
export class OpenCalls {
  private readonly open = new Map<string, number>()
  /** Items of Responses that are there by their ids alone, and may be calls. */
  private references = 0

  /** The parts of the next message that answer nothing. */
  orphansOf(message: ContentMessage): readonly ContentMessage[] {
    const { open } = this
    let orphans: ContentMessage[] | null = null
    if (isReference(message)) this.references += 1
    else if (message.role === 'user') this.references = 0
    for (const part of splitMessages([message])) {
      if (part.calls) for (const { id } of part.calls) open.set(id, (open.get(id) ?? 0) + 1)
      if (isResult(part) && !this.answer(part.resultFor)) {
        orphans ??= []
        orphans.push(part)
      }
    }
    return orphans ?? NONE
  }

  /** Whether a call has no result yet. */
  get isWaiting(): boolean {
    return this.open.size > 0
  }

  unanswered(): string[] {
    return [...this.open].flatMap(([id, times]) => new Array<string>(times).fill(id))
  }

  private answer(resultFor: string | undefined): boolean {
    const { open } = this
    const id = resultFor ?? open.keys().next().value
    const times = id === undefined ? undefined : open.get(id)
    if (id === undefined || times === undefined) {
      if (this.references === 0) return false
      this.references -= 1
      return true
    }
    if (times > 1) open.set(id, times - 1)
    else open.delete(id)
    return true
  }
}

const NONE: readonly ContentMessage[] = []
