import type { Policy } from '../core/policy/policy'
import { estimated, type Figure, measured } from '../core/tokens/figure'
import { type ContextCheck, checkContext, LIVE_ERROR_PCT } from './check-context'

/**
 * How full a live context is. Sizes are taken once per message; a provider's own figure beats them until the context is
 * changed by other means than new messages.
 */
export class LiveGauge<M extends object> {
  private readonly sizes = new WeakMap<M, number>()
  private reported: { readonly tokens: number; readonly count: number } | null = null
  /** A figure of the agent that was true before the context was changed, and is not any more. */
  private stale: number | null = null

  constructor(
    private readonly options: {
      readonly policy: Policy
      readonly window: number
      readonly tokensOf: (message: M) => number
      /** The agent's own figure; see `LiveAgent.getTokenCount`. */
      readonly own: () => number | null
      /** What stands before the conversation. */
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

  sum(messages: readonly M[]): number {
    let tokens = 0
    for (const message of messages) tokens += this.sizeOf(message)
    return tokens
  }

  /** A provider's figure for a context of so many messages. */
  note(tokens: number, count: number): void {
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
