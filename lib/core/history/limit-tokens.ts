import type { Tokens } from '../units/units'
import { type HistoryMessage, isUserTurn, leadingSummaries, type TokensOf } from './message'
import { isResult } from './pairing'

export type TokenLimit<M> = {
  /** Tokens that history may take; older turns are filled in up to here. */
  readonly budget: number
  /**
   * Tokens that the window leaves at all; the recent turns may go beyond the budget up to here. Default: the budget.
   */
  readonly hard?: number
  /** How many of the newest turns count as recent. */
  readonly recentTurns: number
  readonly tokensOf: TokensOf<M>
  /**
   * Whether the prompt is not in the list but goes in separately. Then the list may come out empty; else its newest
   * user message always stays, whatever its size.
   */
  readonly promptSeparate?: boolean
}

export type TokenLimited<M> = {
  readonly messages: readonly M[]
  /** Tokens of what is left. */
  readonly tokens: Tokens
  /** Tokens above the hard limit: more than 0 only when the newest user message alone is larger. */
  readonly over: number
  /** The leading summaries did not fit beside the newest user message: the caller must say so. */
  readonly summaryDropped: boolean
}

/**
 * Cuts history down to a number of tokens: whole turns, newest first, so that the rest begins with a user
 * message. Priority: the newest user message, the leading summaries, the turn that runs, the recent turns (up to
 * the hard limit), older turns (up to the budget). If even the turn that runs does not fit, its user message stays with
 * as many of its last steps as there is room for, a step being an assistant message with all that follows from it.
 * What does not fit is not sent: an empty result is empty, never everything.
 *
 * The result is the input without a middle part, in order; limiting it again changes nothing. Looks only at what it
 * keeps, so a long history costs no more than a short one.
 */
export function limitTokens<M extends HistoryMessage>(
  messages: readonly M[],
  limit: TokenLimit<M>,
): TokenLimited<M> {
  const { tokensOf, recentTurns, promptSeparate = false } = limit
  const hard = Math.max(0, limit.hard ?? limit.budget)
  const budget = Math.min(Math.max(0, limit.budget), hard)

  const head = leadingSummaries(messages)
  const newest = messages.findLastIndex(isUserTurn)
  const pin = promptSeparate ? undefined : messages[newest]
  const pinTokens = pin === undefined ? 0 : tokensOf(pin)
  const summaryTokens = messages.slice(0, head).reduce((sum, message) => sum + tokensOf(message), 0)
  const summaryDropped = head > 0 && pinTokens + summaryTokens > hard
  const kept = summaryDropped ? [] : messages.slice(0, head)
  const fixed = pinTokens + (summaryDropped ? 0 : summaryTokens)
  const done = (first: readonly M[], from: number, tokens: Tokens): TokenLimited<M> => ({
    messages: [...kept, ...first, ...messages.slice(from)],
    tokens,
    over: Math.max(0, tokens - hard),
    summaryDropped,
  })

  // Without a user message, what there is goes on from a turn that a compaction cut: it is the running one.
  const start = newest >= 0 ? newest : head
  const room = Math.max(recentTurns > 0 ? hard : budget, fixed) - fixed
  const steps = lastSteps(messages, pin === undefined ? start : start + 1, room, tokensOf)
  if (!steps.whole) {
    return promptSeparate
      ? done([], messages.length, fixed)
      : done(pin === undefined ? [] : [pin], steps.from, fixed + steps.tokens)
  }

  let from = start
  let tokens = fixed + steps.tokens
  let turn = 1
  let size = 0
  for (let at = start - 1; at >= head; at--) {
    const message = messages[at] as M
    size += tokensOf(message)
    if (tokens + size > (turn < recentTurns ? hard : budget)) break
    if (!isUserTurn(message)) continue
    turn += 1
    from = at
    tokens += size
    size = 0
  }
  // Everything fits, as no other end of the loop has so little: then the torn turn at the beginning, if there is one,
  // stays as well.
  if (!summaryDropped && tokens + size <= budget) {
    return { messages, tokens: tokens + size, over: 0, summaryDropped }
  }
  return done([], from, tokens)
}

/** As many whole steps at the end as fit into `room`, and whether that is all from `start` on. */
function lastSteps<M extends HistoryMessage>(
  messages: readonly M[],
  start: number,
  room: number,
  tokensOf: TokensOf<M>,
): { readonly from: number; readonly tokens: Tokens; readonly whole: boolean } {
  let from = messages.length
  let tokens = 0
  let size = 0
  for (let at = messages.length - 1; at >= start; at--) {
    const message = messages[at] as M
    size += tokensOf(message)
    if (tokens + size > room) return { from, tokens, whole: false }
    if (isResult(message)) continue
    from = at
    tokens += size
    size = 0
  }
  return { from: start, tokens: tokens + size, whole: true }
}
