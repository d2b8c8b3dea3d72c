import type { Policy } from '../policy/policy'
import type { Tokens } from '../units/units'
import { NO_PROOF, type Window, type WindowHints, type WindowSource, windowFor } from './window'

/** Where the window that a policy works with comes from: as `WindowSource`, or the policy itself. */
export type PolicyWindow = {
  readonly tokens: Tokens
  readonly source: WindowSource | 'policy' | 'cap'
  /** The window of the model before the policy's cap. */
  readonly uncapped: number
}

/**
 * The window a policy works with: its own figure for the model, else what index, catalogue or list of models say,
 * else its default; then the lower of that and its cap. Zero, negative and non-numeric figures are passed over.
 *
 * @example
 * ```ts
 * import { DEFAULT_POLICY, policyWindow } from 'plimsoll-agent'
 *
 * const { tokens, source } = policyWindow(DEFAULT_POLICY, { index: null }, 'claude-sonnet-4-5')
 * ```
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
): { tokens: Tokens; source: PolicyWindow['source'] } {
  const own = model === null ? undefined : policy.window.byModel[model]
  if (isSize(own)) return { tokens: own, source: 'policy' }
  const index = isSize(hints.index?.tokens) ? hints.index : null
  const found: Window = windowFor({ ...hints, index }, model, NO_PROOF)
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

/** Whether an agent should run in a window of this size at all. */
export function guardWindow(policy: Policy, window: Pick<PolicyWindow, 'tokens' | 'uncapped'>): Guard {
  const { window: knobs } = policy
  const blockBelow = Math.max(knobs.blockBelow, Math.floor(window.uncapped * knobs.blockShare))
  const warnBelow = Math.max(knobs.warnBelow, Math.floor(window.uncapped * knobs.warnShare))
  const verdict = window.tokens < blockBelow ? 'block' : window.tokens < warnBelow ? 'warn' : 'ok'
  return { verdict, blockBelow, warnBelow }
}

/** What a guard has against a window of this size, in a sentence; null where it has nothing. */
export function guardWarning({ verdict, blockBelow, warnBelow }: Guard, window: Tokens): string | null {
  if (verdict === 'block')
    return `The window of ${window} tokens is below ${blockBelow}, where a run is refused (window.blockBelow, window.blockShare).`
  if (verdict === 'warn')
    return `The window of ${window} tokens is below ${warnBelow}: it is small for an agent (window.warnBelow, window.warnShare).`
  return null
}

/** Tokens that the policy keeps free: raised to the floor, and never more than its share of the window. */
export function policyReserve(policy: Policy, window: Tokens): number {
  const { tokens, floor, maxShare } = policy.reserve
  return Math.min(Math.max(tokens, floor), Math.floor(window * maxShare))
}

/** How a window is shared out at run time. Tokens. */
export type Shares = {
  readonly reserve: number
  /** window − reserve. */
  readonly effectiveBudget: number
  /** What history may hold after a compaction. */
  readonly historyShare: number
  /** For the current turn and its tool results: what history and reserve leave. */
  readonly workingSpace: number
}

/** @param reserve what is kept free, where it is not the policy's own figure (a runtime's) */
export function policyShares(
  policy: Policy,
  window: Tokens,
  reserve = policyReserve(policy, window),
): Shares {
  const historyShare = Math.floor(window * policy.history.maxShare)
  return {
    reserve,
    effectiveBudget: window - reserve,
    historyShare,
    workingSpace: Math.max(0, window - reserve - historyShare),
  }
}
