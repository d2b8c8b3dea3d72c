import { append } from '../lists/long-lists'
import type { HistoryMessage } from './message'
import { isResult } from './pairing'

export type SettledPairs<M> = {
  readonly messages: readonly M[]
  /** Results that answer no call; they are left out. */
  readonly orphans: readonly M[]
  /** Calls that nothing answers; a gap represents each result. */
  readonly gaps: readonly string[]
}

/**
 * Puts each result right behind its call, as providers demand, and something that says so where there is none. Calls
 * at the very end wait: their results are yet to come. Nothing to settle: the same list.
 * @param messages parts, each with one result at most
 * @param gapFor what replaces the missing result of a call; null leaves the gap
 */
export function settlePairs<M extends HistoryMessage>(
  messages: readonly M[],
  gapFor: (call: M, id: string) => M | null,
): SettledPairs<M> {
  const { answers, orphans } = matched(messages)
  const lastCall = messages.findLastIndex((message) => !isResult(message))
  const gaps: string[] = []
  const settled: M[] = []
  messages.forEach((message, at) => {
    if (isResult(message)) return
    settled.push(message)
    const own = answers.get(at) ?? []
    const places = own.flatMap(({ result }) => result ?? []).sort((a, b) => a - b)
    for (const place of places) settled.push(messages[place] as M)
    if (at === lastCall && places.length === 0) return
    for (const { id, result } of own) {
      const gap = result === null ? gapFor(message, id) : null
      if (gap === null) continue
      gaps.push(id)
      settled.push(gap)
    }
  })
  const isSame =
    settled.length === messages.length && settled.every((message, at) => message === messages[at])
  return { messages: isSame ? messages : settled, orphans, gaps }
}

type Answer = { readonly id: string; result: number | null }

/** Which result answers which call, matched as the check of pairs does it (`findUnpaired`). */
function matched<M extends HistoryMessage>(messages: readonly M[]) {
  const answers = new Map<number, Answer[]>()
  const open: Answer[] = []
  const orphans: M[] = []
  messages.forEach((message, at) => {
    const own = (message.calls ?? []).map(({ id }): Answer => ({ id, result: null }))
    if (own.length > 0) answers.set(at, own)
    append(open, own)
    if (!isResult(message)) return
    const { resultFor } = message
    const found = open.findIndex(({ id }) => resultFor === undefined || id === resultFor)
    const [answer] = found < 0 ? [] : open.splice(found, 1)
    if (answer === undefined) orphans.push(message)
    else answer.result = at
  })
  return { answers, orphans }
}
