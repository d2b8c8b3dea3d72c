import type { HistoryMessage, TokensOf } from '../history/message'
import { withoutOrphans } from '../history/pairing'
import type { Tokens } from '../units/units'
import { splitByShare } from './split-by-share'

/** What is left of a history that was pruned to a budget, and what went. Tokens as the caller sizes messages. */
export type Pruned<M> = {
  readonly kept: readonly M[]
  /** In order; results whose calls went are among them. */
  readonly dropped: readonly M[]
  readonly droppedTokens: Tokens
  readonly rounds: number
  /** False when not even the last part fits. */
  readonly fits: boolean
}

/**
 * Drops the oldest part of a history, again and again, until the rest fits a budget. What a dropped call leaves
 * without its call goes with it.
 */
export function pruneToShare<M extends HistoryMessage>(
  messages: readonly M[],
  options: { readonly budget: number; readonly parts: number; readonly tokensOf: TokensOf<M> },
): Pruned<M> {
  const { budget, parts, tokensOf } = options
  const sizeOf = (list: readonly M[]) => list.reduce((sum, message) => sum + tokensOf(message), 0)
  let kept = messages
  let rounds = 0
  while (sizeOf(kept) > budget) {
    const [oldest, ...rest] = splitByShare(kept, Math.max(2, parts), tokensOf)
    if (oldest === undefined || rest.length === 0) break
    kept = withoutOrphans(([] as M[]).concat(...rest))
    rounds += 1
  }
  const staying = new Set(kept)
  const dropped = messages.filter((message) => !staying.has(message))
  return { kept, dropped, droppedTokens: sizeOf(dropped), rounds, fits: sizeOf(kept) <= budget }
}

/**
 * Whether what a compaction leaves untouched is so large that the history to be summarised must be pruned first:
 * above the share of the window with margin, though pruning then goes down to the share itself.
 */
export function mustPrune(untouched: number, window: Tokens, share: number, margin: number): boolean {
  return untouched > Math.floor(window * share * margin)
}
