import { clearResult, type PruneRule } from '../prune-decision'

/**
 * Seed 4's rule: tool results that are older than the policy's time go, the oldest first (J1–J4, J6). What is of unknown
 * age stays.
 */
export const pruneByAge: PruneRule = (context) => {
  const { messages, now, policy, resultGuard } = context
  const limit = policy.pruning.toolResultsAfterMs
  if (limit === 0) return { decisions: [], idle: 'no-time' }
  const decisions = messages.flatMap((message, at) => {
    if (message.role !== 'toolResult' || resultGuard[at] !== null) return []
    if (message.at === null || now - message.at <= limit) return []
    return clearResult(context, at, 'old') ?? []
  })
  return { decisions, idle: null }
}
