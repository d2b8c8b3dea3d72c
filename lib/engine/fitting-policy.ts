import type { HistoryMessage } from '../core/history/message'
import type { Policy } from '../core/policy/policy'
import { type LiveCompactionOptions, planMessages } from './live-compaction'

/** Less than this at the end is not worth keeping by its size alone. Tokens. */
const LEAST_TAIL = 256

/**
 * The policy, keeping as much less word for word as it takes for the conversation to fit into `room` after a compaction:
 * the oldest protected turns give way first (features.md §1). Keeps nothing by size or by turns when that is not enough.
 * @param room tokens, system prompt and the like not counted
 */
export function fittingPolicy<M extends HistoryMessage>(
  messages: readonly M[],
  options: Omit<LiveCompactionOptions<M>, 'focus' | 'summary' | 'signal'>,
  room: number,
): Policy {
  let { policy } = options
  for (;;) {
    const plan = planMessages(messages, { ...options, policy })
    if (plan.kind === 'nothing') {
      // Nothing beyond the tail: what must shrink is in it.
      if (plan.why !== 'all-kept' && plan.why !== 'kept-by-policy') return policy
      const all = messages.reduce((sum, message) => sum + options.form.tokensOf(message), 0)
      if (all <= room) return policy
    } else if ((plan.tokensAfter.value ?? 0) - options.fixedTokens <= room) return policy
    const { keepRecentTokens } = policy.compaction
    const { windowTurns } = policy.summary.rolling
    if (keepRecentTokens === 0 && windowTurns === 0) return policy
    policy = keeping(policy, Math.floor(keepRecentTokens / 2), Math.floor(windowTurns / 2))
  }
}

function keeping(policy: Policy, tokens: number, windowTurns: number): Policy {
  const keepRecentTokens = tokens < LEAST_TAIL ? 0 : tokens
  return {
    ...policy,
    compaction: { ...policy.compaction, keepRecentTokens },
    summary: { ...policy.summary, rolling: { ...policy.summary.rolling, windowTurns } },
  }
}
