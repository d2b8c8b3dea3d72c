import type { Policy } from '../policy/policy'
import { type Window, type WindowHints, type WindowSource, windowFor } from './window'

/** Where the window that a policy works with comes from: as `WindowSource`, or the policy itself. */
export type PolicyWindow = {
  readonly tokens: number
  readonly source: WindowSource | 'policy' | 'cap'
  /** The window of the model before the policy's cap. */
  readonly uncapped: number
}

/**
 * The window a policy works with (A8): its own figure for the model, else what index, catalogue or model table say,
 * else its default; then the lower of that and its cap. Zero, negative and non-numeric figures are passed over.
 */
export function policyWindow(policy: Policy, hints: WindowHints, model: string | null): PolicyWindow {
  const named = uncappedWindow(policy, hints, model)
  const { cap } = policy.window
  if (isSize(cap) && cap < named.tokens) return { tokens: cap, source: 'cap', uncapped: named.tokens }
  return { ...named, uncapped: named.tokens }
}

function uncappedWindow(
  policy: Policy,
  hints: WindowHints,
  model: string | null,
): { tokens: number; source: PolicyWindow['source'] } {
  const own = model === null ? undefined : policy.window.byModel[model]
  if (isSize(own)) return { tokens: own, source: 'policy' }
  const index = isSize(hints.index?.tokens) ? hints.index : null
  const found: Window = windowFor({ ...hints, index }, model, null)
  return found.source === 'default' ? { tokens: policy.window.default, source: 'default' } : found
}

function isSize(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0
}

export type Guard = {
  readonly verdict: 'ok' | 'warn' | 'block'
  readonly blockBelow: number
  readonly warnBelow: number
}

/** Whether an agent should run in a window of this size at all (A9). */
export function guardWindow(policy: Policy, window: Pick<PolicyWindow, 'tokens' | 'uncapped'>): Guard {
  const { window: knobs } = policy
  const blockBelow = Math.max(knobs.blockBelow, Math.floor(window.uncapped * knobs.blockShare))
  const warnBelow = Math.max(knobs.warnBelow, Math.floor(window.uncapped * knobs.warnShare))
  const verdict = window.tokens < blockBelow ? 'block' : window.tokens < warnBelow ? 'warn' : 'ok'
  return { verdict, blockBelow, warnBelow }
}

/** Tokens that the policy keeps free (A10): raised to the floor, and never more than its share of the window. */
export function policyReserve(policy: Policy, window: number): number {
  const { tokens, floor, maxShare } = policy.reserve
  return Math.min(Math.max(tokens, floor), Math.floor(window * maxShare))
}

/** How a window is shared out at run time (A11, A18). Tokens. */
export type Shares = {
  readonly reserve: number
  /** window − reserve. */
  readonly effectiveBudget: number
  /** What history may hold after a compaction. */
  readonly historyShare: number
  /** For the current turn and its tool results: what history and reserve leave. */
  readonly workingSpace: number
}

export function policyShares(policy: Policy, window: number): Shares {
  const reserve = policyReserve(policy, window)
  const historyShare = Math.floor(window * policy.history.maxShare)
  return {
    reserve,
    effectiveBudget: window - reserve,
    historyShare,
    workingSpace: Math.max(0, window - reserve - historyShare),
  }
}
