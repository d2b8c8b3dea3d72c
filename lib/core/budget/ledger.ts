import type { Policy } from '../policy/policy'
import type { Tokens } from '../units/units'

/** The running account of a live context. Tokens. */
export type Ledger = {
  readonly max: number
  readonly used: number
  readonly reserved: {
    readonly systemPrompt: number
    readonly response: number
    readonly toolResults: number
  }
}

/** A tool result that could be let go to make room, oldest first in a list. */
export type Freeable = { readonly id: string; readonly tokens: Tokens }

/**
 * The ledger of a window: so many tokens in use, and the room that the policy keeps for each region.
 *
 * @example
 * ```ts
 * import { available, DEFAULT_POLICY, openLedger } from 'plimsoll-agent'
 *
 * const ledger = openLedger(DEFAULT_POLICY, 200_000, 40_000)
 * available(ledger) // tokens that can still be added
 * ```
 */
export function openLedger(policy: Policy, window: Tokens, used = 0): Ledger {
  const { systemPromptTokens, responseShare, toolResultShare } = policy.ledger
  return {
    max: window,
    used,
    reserved: {
      systemPrompt: systemPromptTokens,
      response: Math.floor(window * responseShare),
      toolResults: Math.floor(window * toolResultShare),
    },
  }
}

/**
 * What can still be added: max − used − reserved, never below 0.
 *
 * @example
 * ```ts
 * import { available, DEFAULT_POLICY, openLedger } from 'plimsoll-agent'
 *
 * available(openLedger(DEFAULT_POLICY, 200_000))
 * ```
 */
export function available(ledger: Ledger): number {
  return Math.max(0, roomLeft(ledger))
}

/** The same, below 0 where the reserved room is touched already. */
export function roomLeft(ledger: Ledger): number {
  return ledger.max - ledger.used - reservedTokens(ledger)
}

/**
 * Whether so many tokens fit without touching the reserved room.
 *
 * @example
 * ```ts
 * import { canAdd, DEFAULT_POLICY, openLedger } from 'plimsoll-agent'
 *
 * canAdd(openLedger(DEFAULT_POLICY, 200_000), 3_000)
 * ```
 */
export function canAdd(ledger: Ledger, tokens: Tokens): boolean {
  return tokens <= available(ledger)
}

/** Outcome of adding. When it is not `added`, nothing has changed and nothing is to be freed. */
export type Added = { readonly added: boolean; readonly ledger: Ledger; readonly freed: readonly string[] }

/**
 * Adds content, letting go of the oldest tool results first if it does not fit; if even all of them are not enough,
 * nothing is freed. What was freed is taken off `used`.
 *
 * @example
 * ```ts
 * import { addToLedger, DEFAULT_POLICY, openLedger } from 'plimsoll-agent'
 *
 * const ledger = openLedger(DEFAULT_POLICY, 200_000, 139_000)
 * const added = addToLedger(ledger, 3_000, [{ id: 'call_1', tokens: 5_000 }])
 * ```
 */
export function addToLedger(ledger: Ledger, tokens: Tokens, oldestResults: readonly Freeable[]): Added {
  const refused: Added = { added: false, ledger, freed: [] }
  let lacking = tokens - roomLeft(ledger)
  const freed: Freeable[] = []
  for (const result of oldestResults) {
    if (lacking <= 0) break
    freed.push(result)
    lacking -= result.tokens
  }
  if (lacking > 0) return refused
  const released = freed.reduce((sum, result) => sum + result.tokens, 0)
  return {
    added: true,
    ledger: { ...ledger, used: ledger.used - released + tokens },
    freed: freed.map((result) => result.id),
  }
}

function reservedTokens({ reserved }: Ledger): number {
  return reserved.systemPrompt + reserved.response + reserved.toolResults
}
