import type { HistoryMessage, TokensOf } from '../history/message'
import { isResult } from '../history/pairing'

/** A place between two messages where a part may begin. */
type Seam = { readonly index: number; readonly tokensBefore: number }

/**
 * Splits messages into parts of about equal size, in order. Each part begins at the seam nearest to its share, so
 * that two parts differ by one message at most. A call is never parted from the results behind it: together they count
 * as one message here. Never more parts than asked for, none of them empty.
 */
export function splitByShare<M extends HistoryMessage>(
  messages: readonly M[],
  parts: number,
  tokensOf: TokensOf<M>,
): M[][] {
  if (messages.length === 0) return []
  const { seams, total } = seamsOf(messages, tokensOf)
  const starts = [0]
  let from = 0
  for (let part = 1; part < parts; part++) {
    const at = nearestSeam(seams, from, (part * total) / parts)
    const seam = seams[at]
    if (seam === undefined) break
    starts.push(seam.index)
    from = at + 1
  }
  return starts.map((start, i) => messages.slice(start, starts[i + 1]))
}

function seamsOf<M extends HistoryMessage>(messages: readonly M[], tokensOf: TokensOf<M>) {
  const seams: Seam[] = []
  let total = 0
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index] as M
    if (index > 0 && !isResult(message)) seams.push({ index, tokensBefore: total })
    total += tokensOf(message)
  }
  return { seams, total }
}

/** The seam from `from` on that is nearest to a size; `seams.length` when there is none. Sizes never fall. */
function nearestSeam(seams: readonly Seam[], from: number, size: number): number {
  const distance = (at: number) => Math.abs((seams[at]?.tokensBefore ?? Number.POSITIVE_INFINITY) - size)
  let at = from
  while (at + 1 < seams.length && distance(at + 1) <= distance(at)) at++
  return at
}
