import { clearResult, type PruneDecision, type PruneRule } from '../prune-decision'

/**
 * Seed 4's rule: tool results that are older than the policy's time go, the oldest first. What is of unknown
 * age stays.
 */
export const pruneByAge: PruneRule = (context) => {
  const { messages, now, policy, resultGuard } = context
  const limit = policy.pruning.toolResultsAfterMs
  if (limit === 0) return { decisions: [], idle: 'no-time' }
  const decisions: PruneDecision[] = []
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at]
    if (message?.role !== 'toolResult' || resultGuard[at] !== null) continue
    if (message.at === null || now - message.at <= limit) continue
    const decision = clearResult(context, at, 'age', 'old')
    if (decision !== null) decisions.push(decision)
  }
  return { decisions, idle: null }
}
