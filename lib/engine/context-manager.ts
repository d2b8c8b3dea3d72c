import { bootstrapCaps } from '../core/bootstrap/caps'
import type { BootstrapHook } from '../core/bootstrap/hooks'
import { type Bootstrap, injectBootstrap } from '../core/bootstrap/inject'
import { guardWindow } from '../core/budget/guard'
import { available, openLedger } from '../core/budget/ledger'
import { type LoadLine, linesReached, loadLines } from '../core/budget/load-lines'
import { type HistoryBudget, historyBudget, splitWindow } from '../core/budget/regions'
import { assembleContext, type Placed } from '../core/history/assemble'
import { type LimitedHistory, limitHistory } from '../core/history/limit-history'
import type { TokensOf } from '../core/history/message'
import { buildSystemPrompt, type SystemPrompt, type SystemPromptParts } from '../core/history/system-prompt'
import { type ContentMessage, withoutThinking } from '../core/history/thinking'
import type { Policy } from '../core/policy/policy'
import { estimateUnits, type TextEstimator } from '../core/tokens/estimate'
import { estimated, type Figure } from '../core/tokens/figure'
import type { PromptCache } from './prompt-cache'

/** Error band of a live count that no provider has confirmed yet, in percent. */
const LIVE_ERROR_PCT = 15

export type ContextManagerOptions<M> = {
  readonly policy: Policy
  /** The model's window in tokens; see `policyWindow` for where it comes from. */
  readonly window: number
  /** Session key, for limits by channel and user; null where a runtime has none. */
  readonly key: string | null
  readonly tokensOf: TokensOf<M>
  /** Sizes the system prompt; ours unless another counter is plugged in (B9). */
  readonly countText?: TextEstimator
  /** The agent's workspace files; null for an agent without a workspace. */
  readonly promptCache: Pick<PromptCache, 'snapshot'> | null
  readonly hooks?: readonly BootstrapHook[]
  readonly subagent?: boolean
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

/** A request as it is to be sent. */
export type AssembledRequest<M> = {
  readonly system: SystemPrompt
  readonly bootstrap: Bootstrap
  /** Summary, history and prompt, in the order of assembly. */
  readonly messages: readonly Placed<M>[]
  readonly history: LimitedHistory<M>
  /** null while the policy's budget is switched off. */
  readonly budget: HistoryBudget | null
  readonly warnings: readonly string[]
}

/**
 * What an agent asks around each turn: how full the context is, and what to send. Holds a running count and nothing
 * else; messages stay the agent's. Never throws for a missing workspace, a failing hook or a full window: it says so.
 */
export class ContextManager<M extends ContentMessage> {
  private held = 0

  constructor(private readonly options: ContextManagerOptions<M>) {}

  /** Tokens of the messages counted so far (B5). */
  get tokens(): number {
    return this.held
  }

  /** Counts one more message of the conversation, as it comes (T1). */
  add(message: M): number {
    this.held += this.options.tokensOf(message)
    return this.held
  }

  /** Starts the count over, after a compaction or when a conversation is loaded. */
  recount(messages: readonly M[]): number {
    this.held = messages.reduce((sum, message) => sum + this.options.tokensOf(message), 0)
    return this.held
  }

  /**
   * Holds the context against the policy before it is sent, what is about to come in included (B4). A provider's own
   * figure for the last prompt beats the running count.
   */
  check(incoming: readonly M[] = [], reported: Figure | null = null): ContextCheck {
    const { policy, window, tokensOf } = this.options
    const tokens = reported?.value == null ? estimated(this.held, LIVE_ERROR_PCT) : reported
    const coming = incoming.reduce((sum, message) => sum + tokensOf(message), 0)
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
   * Puts a request together: workspace files as they are now (O1), within their caps; a system prompt made anew (C14);
   * history within its limits (C1–C10), without thinking unless the policy sends it (C11); all in the one order (C13).
   */
  async request(input: {
    readonly parts: Omit<SystemPromptParts, 'files'>
    readonly summary?: readonly M[]
    readonly history: readonly M[]
    readonly prompt: readonly M[]
  }): Promise<AssembledRequest<M>> {
    const { policy, window, key, tokensOf, countText = estimateUnits } = this.options
    const regions = policy.budget.enabled ? splitWindow(window, policy.budget) : null
    const bootstrap = await this.bootstrap(regions?.bootstrap ?? null)
    const system = buildSystemPrompt({ ...input.parts, files: bootstrap.files })
    const files = countText(bootstrap.files.map((file) => file.text).join('\n'))
    const around = [...(input.summary ?? []), ...input.prompt].reduce(
      (sum, message) => sum + tokensOf(message),
      0,
    )
    const used = { system: Math.max(0, countText(system.text) - files), bootstrap: files }
    const budget = regions === null ? null : historyBudget(window, policy.budget, used)
    const sent = policy.history.sendThinking ? input.history : withoutThinking(input.history)
    const history = limitHistory(sent, {
      history: policy.history,
      key,
      // Summary and prompt are charged to the history they belong to.
      budget: budget === null ? null : Math.max(0, budget.clamped - around),
      tokensOf,
      promptSeparate: input.prompt.length > 0,
    })
    const messages = assembleContext({
      summary: input.summary,
      history: history.messages,
      prompt: input.prompt,
    })
    return { system, bootstrap, messages, history, budget, warnings: bootstrap.warnings }
  }

  private async bootstrap(regionTokens: number | null): Promise<Bootstrap> {
    const { policy, promptCache, hooks, subagent } = this.options
    const snapshot = promptCache === null ? null : await promptCache.snapshot()
    return injectBootstrap({
      files: snapshot?.files ?? [],
      policy: snapshot === null ? { ...policy.bootstrap, files: [] } : policy.bootstrap,
      caps: bootstrapCaps(policy.bootstrap, regionTokens),
      hooks,
      subagent,
    })
  }
}
