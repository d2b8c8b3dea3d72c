import { policyShares } from '../budget/guard'
import type { Policy } from '../policy/policy'
import { CATEGORIES, type CategoryTokens } from '../tokens/category'
import type { CompactionPlan, PlanResult } from './plan'
import type { PlanInput } from './plan-input'

/** Less than this at the end is not worth keeping by its size alone. Tokens. */
const LEAST_TAIL = 256

/**
 * Plans so that summary and kept conversation take no more than the policy's share of the window: first the oldest
 * protected turns give way, then the tail is halved as often as it takes. Where one message alone is larger, the plan
 * that keeps least, with a warning. Runtimes hold no such share (`compaction.withinShare`).
 */
export function planWithinShare(input: PlanInput, plan: (input: PlanInput) => PlanResult): PlanResult {
  const first = plan(input)
  const { policy, window, context } = input
  if (!policy.compaction.withinShare || policy.compaction.mode === 'off') return first
  const { historyShare } = policyShares(policy, window)
  const held = context.reduce((sum, { tokens }) => sum + tokens, 0)
  if (first.kind === 'nothing' ? held <= historyShare : historyAfter(first, input) <= historyShare)
    return first
  let best = first
  for (let less = keepingLess(policy); less !== null; less = keepingLess(less)) {
    const next = plan({ ...input, policy: less })
    if (next.kind === 'nothing') continue
    if (best.kind === 'nothing' || historyAfter(next, input) < historyAfter(best, input)) best = next
    if (historyAfter(next, input) <= historyShare) return next
  }
  if (best.kind === 'nothing') return first
  const left = Math.round(historyAfter(best, input))
  const message = `What stays and its summary take about ${left} tokens, above the ${historyShare} that history may hold: the newest message alone is too large, or must stay with its call.`
  return { ...best, warnings: [...best.warnings, { code: 'above-share', message }] }
}

/** Tokens of the conversation after a plan, its summary included. */
function historyAfter({ after }: CompactionPlan, { fixed }: PlanInput): number {
  return sum(after) - sum(fixed)
}

function sum(tokens: CategoryTokens): number {
  return CATEGORIES.reduce((total, category) => total + (tokens[category] ?? 0), 0)
}

/** The policy with half of the tail and without protected turns; null when it keeps nothing by size any more. */
function keepingLess(policy: Policy): Policy | null {
  const { keepRecentTokens } = policy.compaction
  const { windowTurns } = policy.summary.rolling
  if (keepRecentTokens === 0 && windowTurns === 0) return null
  const half = Math.floor(keepRecentTokens / 2)
  return {
    ...policy,
    compaction: { ...policy.compaction, keepRecentTokens: half < LEAST_TAIL ? 0 : half },
    summary: { ...policy.summary, rolling: { ...policy.summary.rolling, windowTurns: 0 } },
  }
}
