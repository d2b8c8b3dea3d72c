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
  let current: M[] = []
  let size = 0
  for (const message of messages) {
    const tokens = tokensOf(message)
    const fits = size + tokens <= share
    if (!fits && current.length > 0 && split.length < parts - 1 && !isResult(message)) {
      split.push(current)
      current = []
      size = 0
    }
    current.push(message)
    size += tokens
  }
  if (current.length > 0) split.push(current)
  return split
}
