import type { HistoryMessage, TokensOf } from '../history/message'
import { isResult } from '../history/pairing'

/** Places between two messages where a part may begin, and the tokens before each. */
type Seams = { readonly at: readonly number[]; readonly tokensBefore: readonly number[] }

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
    const seam = nearestSeam(seams, from, (part * total) / parts)
    const start = seams.at[seam]
    if (start === undefined) break
    starts.push(start)
    from = seam + 1
  }
  return starts.map((start, i) => messages.slice(start, starts[i + 1]))
}

function seamsOf<M extends HistoryMessage>(
  messages: readonly M[],
  tokensOf: TokensOf<M>,
): { readonly seams: Seams; readonly total: number } {
  const at: number[] = []
  const tokensBefore: number[] = []
  let total = 0
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index] as M
    if (index > 0 && !isResult(message)) {
      at.push(index)
      tokensBefore.push(total)
    }
    total += tokensOf(message)
  }
  return { seams: { at, tokensBefore }, total }
}

/** The seam from `from` on that is nearest to a size; one behind the last when there is none. Sizes never fall. */
function nearestSeam({ tokensBefore }: Seams, from: number, size: number): number {
  let at = from
  let distance = Math.abs((tokensBefore[at] ?? Number.POSITIVE_INFINITY) - size)
  for (; at + 1 < tokensBefore.length; at++) {
    const next = Math.abs((tokensBefore[at + 1] as number) - size)
    if (next > distance) break
    distance = next
  }
  return at
}
