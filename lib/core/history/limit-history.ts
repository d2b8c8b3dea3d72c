import type { Policy } from '../policy/policy'
import type { Tokens } from '../units/units'
import { limitTokens, type TokenLimit } from './limit-tokens'
import { limitTurns } from './limit-turns'
import type { HistoryMessage } from './message'
import { withoutOrphans } from './pairing'
import { resolveTurnLimit, type TurnLimit } from './turn-limit'

export type HistoryLimits<M> = Pick<TokenLimit<M>, 'tokensOf' | 'hard' | 'promptSeparate'> & {
  readonly history: Policy['history']
  /** The session's key; null where a runtime has none. */
  readonly key: string | null
  /** Tokens for history (`historyBudget(…).clamped`); null while the policy's budget is switched off. */
  readonly budget: number | null
}

export type LimitedHistory<M> = {
  readonly messages: readonly M[]
  /** Tokens of what is left; null without a budget, for then nothing was counted. */
  readonly tokens: Tokens | null
  readonly turnLimit: TurnLimit
  /** How many messages each step took away. */
  readonly removed: { readonly byTurns: number; readonly byTokens: Tokens; readonly orphans: number }
  /** As in `TokenLimited`. */
  readonly over: number
  readonly summaryDropped: boolean
}

/**
 * The history that a policy sends: turns first (the only limit while the budget is off), then tokens. Without any
 * limit everything since the last compaction stays. Results that lost their call go last, so that no limit can
 * leave one behind.
 * @param messages everything since the last compaction, leading summaries included, oldest first
 */
export function limitHistory<M extends HistoryMessage>(
  messages: readonly M[],
  limits: HistoryLimits<M>,
): LimitedHistory<M> {
  const turnLimit = resolveTurnLimit(limits.history, limits.key)
  const turns = limitTurns(messages, turnLimit.turns, limits.history.trimAbove)
  const paired = withoutOrphans(turns)
  const byTurns = messages.length - turns.length
  const orphans = turns.length - paired.length
  if (limits.budget === null) {
    const removed = { byTurns, byTokens: 0, orphans }
    return { messages: paired, tokens: null, turnLimit, removed, over: 0, summaryDropped: false }
  }
  const { recentTurns } = limits.history
  const limited = limitTokens(paired, { ...limits, budget: limits.budget, recentTurns })
  const byTokens = paired.length - limited.messages.length
  const left = byTokens === 0 ? paired : withoutOrphans(limited.messages)
  const late = limited.messages.length - left.length
  return {
    messages: left,
    tokens: late === 0 ? limited.tokens : left.reduce((sum, message) => sum + limits.tokensOf(message), 0),
    turnLimit,
    removed: { byTurns, byTokens, orphans: orphans + late },
    over: limited.over,
    summaryDropped: limited.summaryDropped,
  }
}
