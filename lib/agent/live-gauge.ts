import { guardWarning, guardWindow } from '../core/budget/guard'
import { available, openLedger } from '../core/budget/ledger'
import { type LoadLine, linesReached, loadLines } from '../core/budget/load-lines'
import type { Policy } from '../core/policy/policy'
import { UsageAnchor } from '../core/tokens/anchor'
import { estimated, type Figure, measured } from '../core/tokens/figure'
import type { Tokens } from '../core/units/units'

/**
 * How full a live context is. Sizes are taken once per message. A provider's own figure beats them, what has come since
 * is added to it, and when the context is changed by other means, estimates go on from it.
 */
export class LiveGauge<M extends object> {
  /** Messages are never changed in place: what has grown comes as a new one (`splitMessages`). */
  private readonly sizes = new WeakMap<M, Tokens>()
  /** Sums of lists that are never changed in place. */
  private readonly sums = new WeakMap<readonly M[], number>()
  private reported: { readonly tokens: Tokens; readonly count: number } | null = null
  private readonly anchor = new UsageAnchor()
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

  /** Takes the size of a message that was counted elsewhere. */
  readonly noteSize = (message: M, tokens: Tokens): void => {
    this.sizes.set(message, tokens)
  }

  /** @param messages a list that is not changed in place */
  sum(messages: readonly M[]): number {
    const known = this.sums.get(messages)
    if (known !== undefined) return known
    let tokens = 0
    for (let at = 0; at < messages.length; at++) tokens += this.sizeOf(messages[at] as M)
    this.sums.set(messages, tokens)
    return tokens
  }

  /** A provider's figure for a context. */
  note(tokens: Tokens, { count, sent }: GaugedContext): void {
    this.reported = { tokens, count }
    this.anchor.add({ measured: tokens, fixed: this.options.fixedTokens(), messages: sent() })
  }

  /** The context is another one now; what was said about it before holds only for how the provider counts. */
  forget(): void {
    this.reported = null
    this.stale = this.options.own()
  }

  check(context: GaugedContext, incoming: readonly M[]): ContextCheck {
    const { policy, window } = this.options
    const coming = this.sum(incoming) * this.anchor.slope
    const { figure, since } = this.figureOf(context)
    if (figure === null) return checkContext(policy, window, this.estimate(context.sent()), coming)
    const shown = since === 0 ? figure : grown(figure, since)
    return { ...checkContext(policy, window, figure, since + coming), ...roomOf(policy, window, shown) }
  }

  private estimate(sent: Tokens): Figure {
    const now = { fixed: this.options.fixedTokens(), messages: sent }
    const anchored = this.anchor.estimate(now)
    return anchored === null
      ? estimated(now.fixed + now.messages, LIVE_ERROR_PCT)
      : estimated(Math.round(anchored), ANCHORED_ERROR_PCT)
  }

  /** What was reported, and the tokens of what has been added since. */
  private figureOf({ count, since }: GaugedContext): {
    readonly figure: Figure | null
    readonly since: number
  } {
    const own = this.options.own()
    if (own !== null && own !== this.stale) return { figure: measured(own), since: 0 }
    const { reported } = this
    if (reported === null || reported.count > count) return { figure: null, since: 0 }
    const grown = since(reported.count) * this.anchor.slope
    return { figure: measured(reported.tokens), since: Math.round(grown) }
  }
}

/** A conversation as far as its size matters. */
export type GaugedContext = {
  /** So many messages. */
  readonly count: number
  /** Tokens of those from a place on. */
  readonly since: (place: number) => Tokens
  /** Tokens of what is sent of it: all, or a summary and what is not in it. */
  readonly sent: () => Tokens
}

/** A measured figure with what was estimated since. */
function grown(figure: Figure, since: Tokens): Figure {
  const total = (figure.value ?? 0) + since
  return estimated(total, Math.max(1, Math.ceil((since * LIVE_ERROR_PCT) / total)))
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

/** The same once a provider has reported, of a context that was changed since. */
const ANCHORED_ERROR_PCT = 8

/** Holds a context against a policy, what is about to come in included. */
export function checkContext(policy: Policy, window: Tokens, tokens: Figure, coming: number): ContextCheck {
  const { decided, lines } = linesReached(policy, window, tokens, coming)
  const size = decided ?? 0
  const ahead = loadLines(policy, window).filter((line) => !line.unreachable && line.tokens > size)
  return {
    ...roomOf(policy, window, tokens),
    decided: size,
    reached: lines,
    next: ahead[0] ?? null,
    window: guardWindow(policy, { tokens: window, uncapped: window }).verdict,
  }
}

function roomOf(policy: Policy, window: Tokens, tokens: Figure): Pick<ContextCheck, 'tokens' | 'available'> {
  return { tokens, available: available(openLedger(policy, window, tokens.value ?? 0)) }
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
