import { policyShares } from '../budget/guard'
import type { Policy } from '../policy/policy'
import { CATEGORIES, type CategoryTokens } from '../tokens/category'
import type { Tokens } from '../units/units'
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
  const { policy, window, context } = input
  const held = context.reduce((sum, { tokens }) => sum + tokens, 0)
  const best = cutWithinShare(policy, window, held, {
    plan: (less) => plan({ ...input, policy: less }),
    after: (planned) => (planned.kind === 'nothing' ? null : historyAfter(planned, input)),
  })
  if (!policy.compaction.withinShare || best.kind === 'nothing') return best
  const { historyShare } = policyShares(policy, window)
  const left = Math.round(historyAfter(best, input))
  if (left <= historyShare) return best
  const message = `What stays and its summary take about ${left} tokens, above the ${historyShare} that history may hold: the newest message alone is too large, or must stay with its call.`
  return { ...best, warnings: [...best.warnings, { code: 'above-share', message }] }
}

/**
 * What may stay word for word of a conversation: what the window leaves, and where the policy holds it, what its share of
 * history leaves. Tokens.
 * @param fixed tokens before the conversation
 * @param summary tokens of a summary of all of it
 */
export function verbatimRoom(policy: Policy, window: Tokens, fixed: Tokens, summary: () => Tokens): Tokens {
  const { effectiveBudget, historyShare } = policyShares(policy, window)
  const left = effectiveBudget - fixed
  if (!policy.compaction.withinShare) return Math.max(0, left)
  return Math.max(0, Math.min(left, historyShare - summary()))
}

/** How plans are made while less and less is kept by size, and what the conversation takes after one. */
export type ShareSearch<P> = {
  readonly plan: (policy: Policy) => P
  /** Tokens, the summary included; null: the plan does nothing. */
  readonly after: (plan: P) => Tokens | null
}

/**
 * The first plan that holds the policy's share, else the one that keeps least; plans of dry run, run and replay alike.
 * @param held tokens of the conversation as it is
 */
export function cutWithinShare<P>(
  policy: Policy,
  window: Tokens,
  held: Tokens,
  { plan, after }: ShareSearch<P>,
): P {
  const first = plan(policy)
  if (!policy.compaction.withinShare || policy.compaction.mode === 'off') return first
  const { historyShare } = policyShares(policy, window)
  let [best, least] = [first, after(first)]
  if ((least ?? held) <= historyShare) return first
  for (let less = keepingLess(policy); less !== null; less = keepingLess(less)) {
    const next = plan(less)
    const size = after(next)
    if (size === null) continue
    if (least === null || size < least) [best, least] = [next, size]
    if (size <= historyShare) return next
  }
  return best
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
