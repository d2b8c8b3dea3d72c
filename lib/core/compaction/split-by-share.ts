import type { HistoryMessage, TokensOf } from '../history/message'
import { isResult } from '../history/pairing'

/**
 * Splits messages into parts of about equal size, in order (D4). A call is never parted from the results behind it, so
 * a part may be larger than its share by one call with its results. Never more parts than asked for, none of them empty.
 */
export function splitByShare<M extends HistoryMessage>(
  messages: readonly M[],
  parts: number,
  tokensOf: TokensOf<M>,
): M[][] {
  const total = messages.reduce((sum, message) => sum + tokensOf(message), 0)
  const share = total / Math.max(1, parts)
  const split: M[][] = []
  let start = 0
  let size = 0
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i] as M
    const tokens = tokensOf(message)
    const fits = size + tokens <= share
    if (!fits && i > start && split.length < parts - 1 && !isResult(message)) {
      split.push(messages.slice(start, i))
      start = i
      size = 0
    }
    size += tokens
  }
  if (start < messages.length) split.push(messages.slice(start))
  return split
}
