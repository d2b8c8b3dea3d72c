import { bootstrapCaps } from '../core/bootstrap/caps'
import type { BootstrapHook } from '../core/bootstrap/hooks'
import { type Bootstrap, injectBootstrap } from '../core/bootstrap/inject'
import { type HistoryBudget, historyBudget, splitWindow } from '../core/budget/regions'
import type { ToolResultReport } from '../core/budget/tool-results'
import { assembleContext, type Placed } from '../core/history/assemble'
import { type LimitedHistory, limitHistory } from '../core/history/limit-history'
import type { TokensOf } from '../core/history/message'
import { buildSystemPrompt, type SystemPrompt, type SystemPromptParts } from '../core/history/system-prompt'
import { type ContentMessage, withoutThinking } from '../core/history/thinking'
import { VS7_LINES } from '../core/logs/vs7-lines'
import type { ResumeOffer } from '../core/memory/step-checkpoint'
import type { Policy } from '../core/policy/policy'
import { workspaceRules } from '../core/summary/workspace-rules'
import { estimateUnits, type TextEstimator } from '../core/tokens/estimate'
import { estimated, type Figure } from '../core/tokens/figure'
import type { AddedMessage } from './add-with-room'
import { type ContextCheck, checkContext, LIVE_ERROR_PCT } from './check-context'
import type { EndedSession, LiveRecovery } from './cold-memory'
import { CONTENT_FORM } from './content-form'
import type { ContextPass } from './context-pass'
import type { Diagnose } from './diagnose'
import type { Ladder } from './ladder'
import type { AfterResponse, EndedTurn } from './ladder-after'
import type { LiveOutcome } from './ladder-compact'
import type { AfterCuration } from './ladder-curate'
import type { BeforeResponse } from './ladder-pass'
import type { FlushPrompt, LiveAgent } from './live-agent'
import type { LiveStatus } from './live-status'
import { noteFlush, noteTurn } from './note-memory'
import { openLadder } from './open-ladder'
import type { PromptCache } from './prompt-cache'
import type { Recalled } from './recall'
import { type AgentRecall, requestMemory } from './request-memory'
import { SentPruning } from './sent-pruning'
import type { UndoneRecovery } from './undo-recovery'
import type { WorkspaceSnapshot } from './workspace'

export type ContextManagerOptions<M extends ContentMessage> = {
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
  /** The agent whose context is managed; without it the manager measures and puts together, and changes nothing. */
  readonly agent?: LiveAgent<M>
  /** What tools and whatever else stands before the conversation take, besides the system prompt made here. Tokens. */
  readonly fixedTokens?: number
  /** Further parts of the ladder; they run after dropping by relevance, before a compaction. */
  readonly passes?: readonly ContextPass<M>[]
  /** What the agent remembers with, besides its context. */
  readonly recall?: AgentRecall<M>
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
  /** What was recalled for the prompt; null while semantic history is off. */
  readonly recalled: Recalled | null
  readonly warnings: readonly string[]
}

/**
 * What an agent asks around each turn: how full the context is, what must be done about it, and what to send. Messages
 * stay the agent's, and are changed through its own `setContext` alone. Never throws for a missing workspace, a failing
 * hook, a model that is down or a full window: it says so.
 */
export class ContextManager<M extends ContentMessage> {
  private held = 0
  private readonly ladder: Ladder<M> | null
  /** null for a manager without an agent, whose messages nobody can read. */
  private readonly pruning: SentPruning<M> | null
  /** What stood before the conversation in the last request. Tokens. */
  private system = { prompt: 0, files: 0 }
  /** Given to the agent with the next request. */
  private prompt: FlushPrompt | null = null
  private resumed: ResumeOffer | null = null
  /** The agent has saved its memory, and that was noted. */
  private saved = false

  constructor(private readonly options: ContextManagerOptions<M>) {
    const { agent, policy, window, tokensOf } = options
    this.pruning =
      agent === undefined
        ? null
        : new SentPruning({ agent, policy, window, form: { ...agent.form, tokensOf } })
    this.ladder =
      agent === undefined
        ? null
        : openLadder(agent, options, {
            fixedTokens: () => (options.fixedTokens ?? 0) + this.system.prompt + this.system.files,
            historyBudget: () => this.budgetFor(this.system)?.clamped ?? 0,
            workspaceRules: async () => rulesOf((await options.promptCache?.snapshot()) ?? null),
          })
  }

  /** Tokens of the messages counted so far (B5). */
  get tokens(): number {
    return this.held
  }

  /** Counts one more message of the conversation, as it comes (T1). */
  add(message: M): number {
    this.held += this.options.tokensOf(message)
    return this.held
  }

  /** Whether a message fits as things stand, without anything being let go for it (A14, A15). */
  async canAdd(message: M): Promise<boolean> {
    return this.options.tokensOf(message) <= (await this.live().room())
  }

  /**
   * Adds a message to the agent's conversation. Where it does not fit, the oldest tool results are cleared for it, after
   * what they said was summarised; where that is not enough, or fails, nothing is changed and it says why (A15, J5).
   */
  async addWithRoom(message: M, signal?: AbortSignal): Promise<AddedMessage> {
    const done = await this.live().add(message, signal)
    if (done.added) this.held = await this.live().size()
    return done
  }

  /** What tool results hold of the agent's conversation, by tool (B8). */
  toolResults(): Promise<ToolResultReport> {
    return this.live().heldResults()
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
    return checkContext(policy, window, tokens, coming)
  }

  /**
   * Does what the ladder asks for before a request: flush, curate, compact, hold the hard line, roll; nothing, and at no
   * cost, as long as no line is reached. Calls that come together are served one after the other.
   * @param incoming what is about to be sent besides the conversation
   */
  async beforeResponse(incoming: readonly M[] = [], signal?: AbortSignal): Promise<BeforeResponse> {
    const done = await this.live().beforeResponse(incoming, signal)
    this.prompt = done.flush ?? (done.compaction?.kind === 'compacted' ? null : this.prompt)
    if (done.steps.length > 0) this.held = await this.live().size()
    if (done.steps.includes('flush')) this.saved = false
    const noted = await noteFlush(this.noting(), done, this.options)
    this.warn(noted === null ? done.warnings : [...done.warnings, noted])
    return done
  }

  /**
   * Answers what `beforeResponse` offers to go on with after a restart (E12): taken up, the list of steps stands before
   * the prompt of the next request made here; turned down, it is not offered again. null when nothing is offered.
   */
  async resume(taken: boolean): Promise<ResumeOffer | null> {
    const offer = await this.live().resume(taken)
    this.resumed = offer
    return offer
  }

  /** Compacts now, at any fill; what `focus` names is kept above all (D27). */
  compact(options: { readonly focus?: string; readonly signal?: AbortSignal } = {}): Promise<LiveOutcome> {
    return this.live().compact(options.focus ?? null, options.signal)
  }

  /** Makes the agent's own request; when the provider finds it too long, compacts and makes it again (D2). */
  send<T>(request: () => Promise<T>, signal?: AbortSignal): Promise<{ value: T; compactions: number }> {
    return this.live().send(request, signal)
  }

  /**
   * To be called when a turn has ended: counts it, writes a checkpoint where one is due, and above the curation line drops
   * what has nothing to do with what was asked (T3).
   */
  async afterResponse(turn: EndedTurn = {}): Promise<AfterResponse & AfterCuration> {
    const done = await this.live().afterResponse(turn)
    if (done.drop !== null) this.held = await this.live().size()
    const noted = await noteTurn(this.noting(), done, this.saved)
    this.saved = done.memorySaved
    this.warn(noted === null ? done.warnings : [...done.warnings, noted])
    return done
  }

  /** Brings a dropped chunk back to the end of the context, by its id (I6). */
  async recover(chunkId: string): Promise<LiveRecovery> {
    const done = await this.live().recover(chunkId)
    if (done.kind === 'recovered') this.held = await this.live().size()
    return done
  }

  /**
   * Takes back that a chunk came back, by itself or by hand (I5–I7): its note leaves the context, and every other message
   * stays, those that came later as well. Directly after the recovery, the conversation is what it was before it. The chunk
   * counts as cold again. Refused, with the reason, where the note is not there any more, where a rolling summary
   * speaks for it, and where cold storage has lost what it holds.
   */
  async undoRecovery(chunkId: string): Promise<UndoneRecovery> {
    const done = await this.live().undoRecovery(chunkId)
    if (done.kind === 'undone') this.held = await this.live().size()
    return done
  }

  /** How the context stands: its fill, its chunks and those in cold storage, and whether a compaction is due (R1). */
  status(): Promise<LiveStatus> {
    return this.live().status()
  }

  /** To be called when the session ends: what the context holds is kept in cold storage for a week (T4, I8). */
  sessionEnd(): Promise<EndedSession> {
    return this.live().end()
  }

  /**
   * Puts a request together: workspace files as they are now (O1), within their caps; a system prompt made anew (C14);
   * history pruned by the policy's rules and within its limits (C1–C10), without thinking unless the policy sends it (C11); all in the one order (C13).
   */
  async request(input: {
    readonly parts: Omit<SystemPromptParts, 'files'>
    readonly summary?: readonly M[]
    /** The agent's own conversation where it is left out. */
    readonly history?: readonly M[]
    readonly prompt: readonly M[]
  }): Promise<AssembledRequest<M>> {
    const { policy, window, key, tokensOf, countText = estimateUnits, agent } = this.options
    const regions = policy.budget.enabled ? splitWindow(window, policy.budget) : null
    const { promptCache, recall = {} } = this.options
    const snapshot = promptCache === null ? null : await promptCache.snapshot()
    const bootstrap = await this.bootstrap(snapshot, regions?.bootstrap ?? null)
    const memory = await requestMemory(input.prompt, {
      policy,
      window,
      sizeOf: countText,
      form: agent?.form ?? CONTENT_FORM,
      session: agent?.session ?? key ?? '',
      clock: agent?.clock ?? null,
      mask: agent?.secrets?.mask ?? ((text) => text),
      snapshot,
      recall,
    })
    const flush = this.takePrompt()
    const notice = flush?.delivery === 'system' ? { notice: flush.text } : {}
    const system = buildSystemPrompt({ ...input.parts, ...memory.parts, ...notice, files: bootstrap.files })
    const files = countText(bootstrap.files.map((file) => file.text).join('\n'))
    const texts = [this.takeResumed()?.text, flush?.delivery === 'user' ? flush.text : undefined]
    const asked = texts.flatMap((text) => (text === undefined ? [] : (agent?.form.fromText(text) ?? [])))
    const prompt = [...asked, ...input.prompt]
    const told = await this.summariesAndHistory(input.history ?? (await agent?.getContext()) ?? [])
    const summary = [...(input.summary ?? []), ...told.summary]
    const around = [...summary, ...prompt].reduce((sum, message) => sum + tokensOf(message), 0)
    this.system = { prompt: Math.max(0, countText(system.text) - files), files }
    const budget = this.budgetFor(this.system)
    const pruned = this.pruning?.sent(told.history) ?? told.history
    const sent = policy.history.sendThinking ? pruned : withoutThinking(pruned)
    const history = limitHistory(sent, {
      history: policy.history,
      key,
      // Summary and prompt are charged to the history they belong to.
      budget: budget === null ? null : Math.max(0, budget.clamped - around),
      tokensOf,
      promptSeparate: input.prompt.length > 0,
    })
    const messages = assembleContext({ summary, history: history.messages, prompt })
    if (regions !== null) {
      const { tokens, total } = bootstrapCaps(policy.bootstrap, regions.bootstrap)
      this.tell('info', VS7_LINES.bootstrap(tokens ?? 0, total))
    }
    if (told.isRolled) this.tell('info', VS7_LINES.injected())
    if (budget !== null) {
      const { prompt: systemPrompt, files: bootstrapTokens } = this.system
      const counts = { messagesIn: told.history.length, messagesOut: history.messages.length }
      const stats = { contextWindow: window, systemPrompt, bootstrap: bootstrapTokens, ...counts }
      const line = VS7_LINES.stats({ ...stats, historyBudget: budget.formula, withSummary: told.isRolled })
      this.tell('info', line)
    }
    const { recalled } = memory
    if (recalled !== null && recalled.placed.length > 0)
      this.tell('info', VS7_LINES.semantic(recalled.placed.length, recalled.tokens))
    const warnings = [...bootstrap.warnings, ...memory.warnings]
    this.warn(warnings)
    return { system, bootstrap, messages, history, budget, recalled, warnings }
  }

  /** One line for each thing that went wrong and was got over (Q9). */
  private warn(warnings: readonly string[]): void {
    for (const warning of warnings) this.tell('warn', warning)
  }

  private tell(level: Parameters<Diagnose>[0], line: string): void {
    const { agent } = this.options
    agent?.diagnose?.(level, agent.secrets?.mask(line) ?? line)
  }

  /** @throws Error with the code `NO_AGENT` for a manager that was made without one */
  private live(): Ladder<M> {
    if (this.ladder !== null) return this.ladder
    throw Object.assign(
      new Error(
        'This ContextManager changes nothing: give it `agent` (getContext, setContext, …) when it is made.',
      ),
      { code: 'NO_AGENT' },
    )
  }

  private budgetFor({ prompt, files }: { prompt: number; files: number }): HistoryBudget | null {
    const { policy, window } = this.options
    if (!policy.budget.enabled) return null
    return historyBudget(window, policy.budget, { system: prompt, bootstrap: files })
  }

  private takePrompt(): FlushPrompt | null {
    const prompt = this.prompt
    this.prompt = null
    return prompt
  }

  private takeResumed(): ResumeOffer | null {
    const offer = this.resumed
    this.resumed = null
    return offer
  }

  /** Summaries stand apart from history, so that no limit takes them for an old turn. */
  private async summariesAndHistory(
    messages: readonly M[],
  ): Promise<{ readonly summary: readonly M[]; readonly history: readonly M[]; readonly isRolled: boolean }> {
    const { agent } = this.options
    if (agent === undefined || this.ladder === null)
      return { summary: [], history: messages, isRolled: false }
    const { summary, rest } = await this.ladder.view(messages)
    const first = rest.findIndex((message) => !agent.form.isSummary(message))
    const leading = first < 0 ? rest.length : first
    return {
      summary: [...(summary === null ? [] : [summary]), ...rest.slice(0, leading)],
      history: rest.slice(leading),
      isRolled: summary !== null,
    }
  }

  private noting(): Parameters<typeof noteFlush>[0] {
    const { agent, recall } = this.options
    return { events: recall?.events, session: agent?.session ?? '', at: agent?.clock.now() ?? 0 }
  }

  private async bootstrap(
    snapshot: WorkspaceSnapshot | null,
    regionTokens: number | null,
  ): Promise<Bootstrap> {
    const { policy, hooks, subagent } = this.options
    return injectBootstrap({
      files: snapshot?.files ?? [],
      policy: snapshot === null ? { ...policy.bootstrap, files: [] } : policy.bootstrap,
      caps: bootstrapCaps(policy.bootstrap, regionTokens),
      hooks,
      subagent,
    })
  }
}

/** What AGENTS.md of a workspace wants to stand behind every summary. */
function rulesOf(snapshot: WorkspaceSnapshot | null): string | null {
  const text = snapshot?.files.find(({ name }) => name === 'AGENTS.md')?.text
  return text == null ? null : workspaceRules(text)
}
