import { guardWindow } from '../core/budget/guard'
import { available, openLedger } from '../core/budget/ledger'
import { type LoadLine, linesReached, loadLines } from '../core/budget/load-lines'
import type { Policy } from '../core/policy/policy'
import type { Figure } from '../core/tokens/figure'

/** What a context holds before a request, and which lines that reaches. */
export type ContextCheck = {
  readonly tokens: Figure
  /** The figure that the lines were held against: with margin, and with what is about to come in. Not for show. */
  readonly decided: number
  readonly reached: readonly LoadLine[]
  readonly next: LoadLine | null
  /** What may still be added before the room kept for answer and tool results is touched. */
  readonly available: number
  readonly window: 'ok' | 'warn' | 'block'
}

/** Error band of a live count that no provider has confirmed yet, in percent. */
export const LIVE_ERROR_PCT = 15

/** Holds a context against a policy, what is about to come in included (B4). */
export function checkContext(policy: Policy, window: number, tokens: Figure, coming: number): ContextCheck {
  const { decided, lines } = linesReached(policy, window, tokens, coming)
  const size = decided ?? 0
  const ahead = loadLines(policy, window).filter((line) => !line.unreachable && line.tokens > size)
  return {
    tokens,
    decided: size,
    reached: lines,
    next: ahead[0] ?? null,
    available: available(openLedger(policy, window, tokens.value ?? 0)),
    window: guardWindow(policy, { tokens: window, uncapped: window }).verdict,
  }
}
