import { guardWarning, guardWindow } from '../core/budget/guard'
import { available, openLedger } from '../core/budget/ledger'
import { type LoadLine, linesReached, loadLines } from '../core/budget/load-lines'
import type { Policy } from '../core/policy/policy'
import { estimated, type Figure, measured } from '../core/tokens/figure'
import type { Tokens } from '../core/units/units'

/**
 * How full a live context is. Sizes are taken once per message; a provider's own figure beats them until the context is
 * changed by other means than new messages.
 */
export class LiveGauge<M extends object> {
  private readonly sizes = new WeakMap<M, number>()
  /** Sums of lists that are never changed in place. */
  private readonly sums = new WeakMap<readonly M[], number>()
  private reported: { readonly tokens: Tokens; readonly count: number } | null = null
  /** A figure of the agent that was true before the context was changed, and is not any more. */
  private stale: number | null = null

  constructor(
    private readonly options: {
      readonly policy: Policy
      readonly window: Tokens
      readonly tokensOf: (message: M) => number
      /** The agent's own figure; see `LiveAgent.getTokenCount`. */
      readonly own: () => number | null
      /** What is before the conversation. */
      readonly fixedTokens: () => number
    },
  ) {}

  readonly sizeOf = (message: M): number => {
    const known = this.sizes.get(message)
    if (known !== undefined) return known
    const size = this.options.tokensOf(message)
    this.sizes.set(message, size)
    return size
  }

  /** @param messages a list that is not changed in place */
  sum(messages: readonly M[]): number {
    const known = this.sums.get(messages)
    if (known !== undefined) return known
    let tokens = 0
    for (const message of messages) tokens += this.sizeOf(message)
    this.sums.set(messages, tokens)
    return tokens
  }

  /** A provider's figure for a context of so many messages. */
  note(tokens: Tokens, count: number): void {
    this.reported = { tokens, count }
  }

  /** The context is another one now; what was said about it before does not hold. */
  forget(): void {
    this.reported = null
    this.stale = this.options.own()
  }

  /** @param sent what of the messages is sent: all, or a summary and those that are not in it */
  check(messages: readonly M[], sent: readonly M[], incoming: readonly M[]): ContextCheck {
    const { policy, window, fixedTokens } = this.options
    const { figure, since } = this.figureOf(messages)
    const tokens: Figure = figure ?? estimated(fixedTokens() + this.sum(sent), LIVE_ERROR_PCT)
    return checkContext(policy, window, tokens, since + this.sum(incoming))
  }

  /** What was reported, and the tokens of what has been added since. */
  private figureOf(messages: readonly M[]): { readonly figure: Figure | null; readonly since: number } {
    const own = this.options.own()
    if (own !== null && own !== this.stale) return { figure: measured(own), since: 0 }
    const { reported } = this
    if (reported === null || reported.count > messages.length) return { figure: null, since: 0 }
    return { figure: measured(reported.tokens), since: this.sum(messages.slice(reported.count)) }
  }
}

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

/** Holds a context against a policy, what is about to come in included. */
export function checkContext(policy: Policy, window: Tokens, tokens: Figure, coming: number): ContextCheck {
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

/**
 * A run in a window that the policy finds too small. The message says which value decides it.
 *
 * @example
 * ```ts
 * import { WindowRefused } from 'plimsoll-agent'
 *
 * const isTooSmall = (error: unknown) => error instanceof WindowRefused
 * ```
 */
export class WindowRefused extends Error {
  readonly code = 'WINDOW_REFUSED'
}

/** What the policy's guard says to a window of this size: nothing, a warning, or that a run is refused. */
export type WindowWord = { readonly refused: boolean; readonly message: string } | null

export function windowWord(policy: Policy, window: Tokens): WindowWord {
  const guard = guardWindow(policy, { tokens: window, uncapped: window })
  const message = guardWarning(guard, window)
  return message === null ? null : { refused: guard.verdict === 'block', message }
}
