import { hardLine } from '../core/budget/load-lines'
import type { ContentMessage } from '../core/history/thinking'
import type { Policy } from '../core/policy/policy'
import type { LiveAgent } from './live-agent'
import type { MessageForm } from './live-compaction'
import type { LiveGauge } from './live-gauge'
import type { RememberedState } from './remembered-state'
import type { SummaryOptions } from './write-summary'

/** What every step of the ladder works with. */
export type LadderParts<M extends ContentMessage> = {
  readonly policy: Policy
  readonly window: number
  readonly agent: LiveAgent<M>
  readonly form: MessageForm<M>
  readonly gauge: LiveGauge<M>
  readonly state: RememberedState
  readonly summary: Pick<SummaryOptions, 'sizeOf' | 'mask' | 'isSecret'>
  /** What system prompt, tools and workspace files take, as far as it is known. Tokens. */
  readonly fixedTokens: () => number
  /** What the division of the window leaves to history. Tokens. */
  readonly historyBudget: () => number
  /** Rules of the agent's workspace that every summary carries (D17); null when there are none. */
  readonly workspaceRules: () => Promise<string | null>
}

/**
 * Tokens that a conversation may take so that the hard line holds, margin and incoming messages counted; what a line
 * that is switched off allows is the window.
 */
export function roomBelowHardLine<M extends ContentMessage>(
  { policy, window, gauge, fixedTokens }: LadderParts<M>,
  incoming: readonly M[],
): number {
  const line = hardLine(policy, window)?.tokens ?? window
  const room = Math.floor(line / policy.counting.safetyMargin)
  return Math.max(0, room - fixedTokens() - gauge.sum(incoming))
}
