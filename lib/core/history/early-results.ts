import { OpenCalls } from './pairing'
import type { ContentMessage } from './thinking'

/** A list in which each result is behind its call. */
export type ResultsBehind<M> = {
  readonly messages: readonly M[]
  /** So many results came before the call that they answer. */
  readonly moved: number
}

/**
 * Puts results that come before their call right behind it, so that what they say is not lost: as agents leave them that
 * note what a tool says as soon as it says it. A call that has another result keeps that one. The same list when there
 * are none.
 * @param parts each with one result at most
 */
export function resultsBehindCalls<M extends ContentMessage>(parts: readonly M[]): ResultsBehind<M> {
  const pairs = new OpenCalls()
  const early = new Map<string, M[]>()
  for (const part of parts) {
    const { resultFor } = part
    if (pairs.orphansOf(part).length === 0 || resultFor === undefined) continue
    const known = early.get(resultFor)
    if (known === undefined) early.set(resultFor, [part])
    else known.push(part)
  }
  if (early.size === 0) return { messages: parts, moved: 0 }
  const placeOf = new Map(parts.map((part, at) => [part, at]))
  const behind = new Map<M, M[]>()
  const moved = new Set<M>()
  for (const id of pairs.unanswered()) {
    const waiting = early.get(id) ?? []
    const [result] = waiting
    // Before the call is looked for: most that wait for an answer have none, and looking takes as long as the history.
    if (result === undefined) continue
    const call = parts.findLast((part) => part.calls?.some((one) => one.id === id))
    if (call === undefined) continue
    if ((placeOf.get(call) ?? 0) < (placeOf.get(result) ?? 0)) continue
    waiting.shift()
    moved.add(result)
    behind.set(call, [...(behind.get(call) ?? []), result])
  }
  if (moved.size === 0) return { messages: parts, moved: 0 }
  const messages = parts.flatMap((part) => (moved.has(part) ? [] : [part, ...(behind.get(part) ?? [])]))
  return { messages, moved: moved.size }
}
