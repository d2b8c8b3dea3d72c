import { DEFAULT_POLICY } from '../policy/default-policy'
import type { Policy } from '../policy/policy'
import type { Tokens } from '../units/units'

/** The five parts of a window, in tokens; they add up to the window. */
export type Regions = {
  readonly systemPrompt: number
  readonly bootstrap: number
  readonly history: number
  readonly response: number
  readonly reserve: number
}

export const REGIONS = ['systemPrompt', 'bootstrap', 'history', 'response', 'reserve'] as const

/** What system prompt, bootstrap files and the response really take, in tokens. */
export type Used = { readonly system: number; readonly bootstrap: number; readonly response?: number }

/** Keeps 0.15 × 200,000 from losing a token to binary fractions. */
const FLOAT_SLACK = 1e-9

/**
 * Divides a window by the ratios of the policy. The response never gets less than its minimum as long as
 * there is room: what it lacks comes from history, then from the reserve, and last the response itself gives way
 * to system prompt and bootstrap files, so that the parts never exceed the window.
 *
 * @example
 * ```ts
 * import { splitWindow } from 'plimsoll-agent'
 *
 * const { history, response } = splitWindow(200_000)
 * ```
 */
export function splitWindow(window: Tokens, budget: Policy['budget'] = DEFAULT_POLICY.budget): Regions {
  const part = (ratio: number) => Math.floor(window * ratio + FLOAT_SLACK)
  const systemPrompt = part(budget.systemPromptRatio)
  const bootstrap = Math.min(part(budget.bootstrapRatio), window - systemPrompt)
  const free = window - systemPrompt - bootstrap
  const response = Math.min(Math.max(part(budget.responseRatio), budget.minResponseTokens), free)
  const lacking = Math.max(0, response - part(budget.responseRatio))
  const history = Math.min(Math.max(0, part(budget.historyRatio) - lacking), free - response)
  return { systemPrompt, bootstrap, history, response, reserve: free - response - history }
}

/** What history may take: by the seed's formula, and what is really left when others overran their share. */
export type HistoryBudget = { readonly formula: number; readonly clamped: number }

/**
 * History's budget once the other parts are known. The formula adds what system prompt and bootstrap files
 * left unused, and the reserve. The clamped figure is the one to obey: overruns are taken off, so that the whole never
 * exceeds the window.
 */
export function historyBudget(window: Tokens, budget: Policy['budget'], used: Used): HistoryBudget {
  const regions = splitWindow(window, budget)
  const unused = budget.reallocate
    ? Math.max(0, regions.systemPrompt - used.system) + Math.max(0, regions.bootstrap - used.bootstrap)
    : 0
  const reserve = budget.reallocate && budget.reserveForHistory ? regions.reserve : 0
  const formula = regions.history + unused + reserve
  const response = used.response ?? regions.response
  const left = window - used.system - used.bootstrap - response - (reserve > 0 ? 0 : regions.reserve)
  return { formula, clamped: Math.max(0, Math.min(formula, left)) }
}

/**
 * Whether all parts fit beside the response, and by how many tokens they do not.
 *
 * @example
 * ```ts
 * import { DEFAULT_POLICY, fits } from 'plimsoll-agent'
 *
 * const { overflow } = fits(200_000, DEFAULT_POLICY.budget, { system: 8_500, bootstrap: 3_200, history: 90_000 })
 * ```
 */
export function fits(
  window: Tokens,
  budget: Policy['budget'],
  parts: { readonly system: number; readonly bootstrap: number; readonly history: number },
): { readonly fits: boolean; readonly overflow: number } {
  const { response } = splitWindow(window, budget)
  const overflow = parts.system + parts.bootstrap + parts.history + response - window
  return { fits: overflow <= 0, overflow: Math.max(0, overflow) }
}
