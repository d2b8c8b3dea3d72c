import type { ToolResultReport } from '../core/budget/tool-results'
import type { TokensOf } from '../core/history/message'
import type { ContentMessage } from '../core/history/thinking'
import type { ResumeOffer } from '../core/memory/step-checkpoint'
import type { TextEstimator } from '../core/tokens/estimate'
import { estimated, type Figure } from '../core/tokens/figure'
import type { Tokens } from '../core/units/units'
import type { ColdLibrary } from '../engine/cold/search-cold'
import type { Diagnose } from '../engine/compaction/diagnose'
import { TimeLimit } from '../engine/jobs/time-limit'
import type { WorkspaceSnapshot } from '../engine/workspace/workspace'
import { type AddedMessage, addWithRoom, roomOf } from './add-with-room'
import {
  type AfterCuration,
  type AfterResponse,
  curateAfter,
  type EndedTurn,
  endTurn,
} from './after-response'
import {
  type AssembledRequest,
  assembleRequest,
  inParts,
  type RequestInput,
  type RequestState,
} from './assemble-request'
import { type BeforeResponse, ResponsePass } from './before-response'
import {
  archiveSession,
  type EndedSession,
  type LiveRecovery,
  NO_COLD,
  recoverLiveChunk,
  type UndoneRecovery,
  undoRecovery,
} from './cold/cold-memory'
import {
  AFTER_OVERFLOW,
  compactContext,
  type LiveCompactionRequest,
  type LiveOutcome,
  retryAfterOverflow,
} from './compact-context'
import { contentForm } from './content-form'
import type { LiveAgent } from './live-agent'
import { type ContextCheck, checkContext, LIVE_ERROR_PCT } from './live-gauge'
import { noteReport, sentTokens } from './live-parts'
import { heldResults, type LiveStatus, liveStatus } from './live-status'
import type { ContextManagerOptions } from './manager-options'
import { noteFlush, noteTurn } from './memory-events'
import { noAgent, type OpenedAgent, openAgent } from './opened-agent'
import { PortProblems } from './port-problems'
import { type RolledView, rolledView } from './rolling-summary'
import { safeAgent, safeCount, safeRecall, safeSizes, safeSnapshot } from './safe-ports'
import { WindowWatch } from './window-watch'

/**
 * What an agent asks around each turn: how full the context is, what must be done about it, and what to send. Messages
 * stay the agent's, and are changed through its own `setContext` alone. Never throws for a missing workspace, a failing
 * hook, a model that is down or a full window: it says so. In a window below the policy's guard no request is made
 * (`WindowRefused`).
 *
 * @example
 * ```ts
 * import { CONTENT_FORM, ContextManager, Conversation, DEFAULT_POLICY } from 'plimsoll-agent'
 *
 * const talk = new Conversation()
 * const { getContext, setContext } = talk
 * const agent = { session: 'main', form: CONTENT_FORM, clock: { now: Date.now }, getContext, setContext }
 * const context = new ContextManager({ policy: DEFAULT_POLICY, window: 200_000, key: 'main', promptCache: null, agent })
 * const prompt = [{ role: 'user', content: 'Which berth is free?' }]
 * const { steps } = await context.beforeResponse(prompt)
 * const { system, messages } = await context.request({ parts: { identity: 'You keep the log.' }, prompt })
 * talk.add(...prompt, { role: 'assistant', content: 'Berth 4.' })
 * await context.afterResponse({ usage: { prompt: 2_100, output: 12 } })
 * ```
 */
export class ContextManager<M extends ContentMessage> {
  private held = 0
  /** null for a manager without an agent. */
  private readonly opened: OpenedAgent<M> | null
  private readonly sent: RequestState = { system: { prompt: 0, files: 0 }, flush: null, resumed: null }
  /** The agent has saved its memory, and that was noted. */
  private saved = false
  private readonly windowWatch: WindowWatch
  private calls = 0
  private readonly tokensOf: TokensOf<M>
  private readonly form: LiveAgent<M>['form']
  private readonly options: ContextManagerOptions<M> & { readonly countText: TextEstimator }
  private readonly problems = new PortProblems()
  private readonly snapshot: () => Promise<WorkspaceSnapshot | null>

  constructor(given: ContextManagerOptions<M>) {
    const { policy, window } = given
    const { problems } = this
    const countText = safeCount(given.countText, problems)
    const limit = new TimeLimit(given.timeLimit)
    const agent = given.agent && safeAgent(given.agent, problems, limit)
    this.options = { ...given, countText, agent, recall: safeRecall(given.recall, limit) }
    this.snapshot = safeSnapshot(given.promptCache, problems, limit)
    this.windowWatch = new WindowWatch(policy, window)
    const { ofMessage, ofPart } = safeSizes(given.tokensOf, countText, problems)
    this.tokensOf = ofPart
    this.form = agent?.form ?? contentForm<M>()
    const { sent, tokensOf, snapshot } = this
    const known = { sent, problems, tokensOf, ofMessage, snapshot, moment: () => this.calls }
    this.opened = agent === undefined ? null : openAgent(agent, this.options, known)
  }

  /** Tokens of the messages counted so far. */
  get tokens(): number {
    return this.held
  }

  /** Counts one more message of the conversation, as it comes. */
  add(message: M): number {
    this.held += this.tokensOf(message)
    return this.held
  }

  /** Whether a message fits now, without anything being let go for it. */
  async canAdd(message: M): Promise<boolean> {
    return this.tokensOf(message) <= (await roomOf(this.live().parts))
  }

  /**
   * Adds a message to the agent's conversation. Where it does not fit, the oldest tool results are cleared for it,
   * after what they said was summarised; where that is not enough, or fails, nothing is changed and it says why.
   */
  async addWithRoom(message: M, signal?: AbortSignal): Promise<AddedMessage> {
    const { parts, queue, life } = this.live()
    life?.expect(message)
    const done = await queue.run(() => addWithRoom(parts, message, signal))
    if (done.added) this.held = await this.size()
    return done
  }

  /** What tool results hold of the agent's conversation, by tool. */
  async toolResults(): Promise<ToolResultReport> {
    return heldResults(this.live().parts)
  }

  /** Starts the count over, after a compaction or when a conversation is loaded. */
  recount(messages: readonly M[]): number {
    this.held = messages.reduce((sum, message) => sum + this.tokensOf(message), 0)
    return this.held
  }

  /**
   * Compares the context with the policy before it is sent, what is about to come in included. A provider's own
   * figure for the last prompt beats the running count.
   */
  check(incoming: readonly M[] = [], reported: Figure | null = null): ContextCheck {
    const { tokensOf } = this
    const { policy, window } = this.options
    const tokens = reported?.value == null ? estimated(this.held, LIVE_ERROR_PCT) : reported
    const coming = incoming.reduce((sum, message) => sum + tokensOf(message), 0)
    return checkContext(policy, window, tokens, coming)
  }

  /**
   * Does what the ladder asks for before a request: flush, curate, compact, hold the hard line, roll; nothing, and at
   * no cost, as long as no line is reached. Calls that come together are served one after the other.
   * @param incoming what is about to be sent besides the conversation
   */
  async beforeResponse(incoming: readonly M[] = [], signal?: AbortSignal): Promise<BeforeResponse> {
    const { parts, keeper, queue, life } = this.live()
    const climbed = await queue.run(async () => {
      await life?.begin(incoming)
      // Before the pass, which may summarise the call with the plan.
      await keeper.note()
      const pass = await new ResponsePass(parts, inParts(this.form, incoming), signal).run()
      return { ...pass, resume: await keeper.offer() }
    })
    this.held = await this.size()
    const done = this.withProblems(this.windowWatch.noteIn(climbed))
    this.sent.flush = done.flush ?? (done.compaction?.kind === 'compacted' ? null : this.sent.flush)
    if (done.steps.includes('flush')) this.saved = false
    const noted = await noteFlush(this.noting(), done, this.options)
    this.warn(noted === null ? done.warnings : [...done.warnings, noted])
    return done
  }

  /**
   * Answers what `beforeResponse` offers to go on with after a restart: taken up, the list of steps is before
   * the prompt of the next request made here; turned down, it is not offered again. null when nothing is offered.
   */
  async resume(taken: boolean): Promise<ResumeOffer | null> {
    const offer = await this.live().keeper.answer(taken)
    this.sent.resumed = offer
    return offer
  }

  /** Compacts now, at any fill; what `focus` names is kept above all. */
  async compact(
    options: { readonly focus?: string; readonly signal?: AbortSignal } = {},
  ): Promise<LiveOutcome> {
    const { focus = null, signal } = options
    return this.compactWith({ incoming: [], focus, manual: true, room: null, pressing: false, signal })
  }

  /**
   * Makes the agent's own request; when the provider finds it too long, compacts and makes it again.
   * @throws WindowRefused before anything is asked, in a window that the policy refuses
   */
  async send<T>(request: () => Promise<T>, signal?: AbortSignal): Promise<{ value: T; compactions: number }> {
    this.windowWatch.demand()
    const compact = async () => {
      const room = Math.floor((await this.size()) * AFTER_OVERFLOW)
      const asked = { incoming: [], focus: null, manual: true, room, pressing: true, signal }
      return (await this.compactWith(asked)).kind === 'compacted'
    }
    return retryAfterOverflow(request, compact, this.live().parts.window)
  }

  /**
   * Notes what the provider counted for the request that was made of the context as it is now; `afterResponse` does it
   * where an answer is in place. null: what was noted before does not hold any more. `output` is for the session's index.
   */
  async noteUsage(prompt: Tokens | null, output: Tokens | null = null): Promise<void> {
    const { parts, life } = this.live()
    if (prompt === null) return parts.gauge.forget()
    if (output !== null) life?.count({ prompt, output })
    return noteReport(parts, prompt)
  }

  /**
   * To be called when a turn has ended: counts it, writes a checkpoint where one is due, and above the curation line
   * drops what has nothing to do with what was asked.
   */
  async afterResponse(turn: EndedTurn = {}): Promise<AfterResponse & AfterCuration> {
    const { parts, keeper, queue, life } = this.live()
    queue.demandNoCallback()
    await queue.run(async () => life?.turn(turn.usage))
    await keeper.note()
    const ended = await endTurn(parts, turn)
    const curated = await queue.run(() => curateAfter(parts, turn.signal))
    this.held = await this.size()
    const warnings = [...ended.warnings, ...curated.warnings]
    const done = this.withProblems({ ...ended, drop: curated.drop, warnings })
    const noted = await noteTurn(this.noting(), done, this.saved)
    this.saved = done.memorySaved
    this.warn(noted === null ? done.warnings : [...done.warnings, noted])
    return done
  }

  /** Brings a dropped chunk back to the end of the context, by its id. */
  async recover(chunkId: string): Promise<LiveRecovery> {
    const { parts, queue } = this.live()
    const { cold } = parts
    if (cold === null) return NO_COLD
    const done = await queue.run(() => recoverLiveChunk(parts, cold, chunkId))
    if (done.kind === 'recovered') this.held = await this.size()
    return done
  }

  /**
   * Takes back that a chunk came back, automatically or by hand: its note leaves the context, and every other message
   * stays, those that came later as well. Directly after the recovery, the conversation is what it was before it. The
   * chunk counts as cold again. Refused, with the reason, where the note is not there any more, where a rolling summary
   * speaks for it, and where cold storage has lost what it holds.
   */
  async undoRecovery(chunkId: string): Promise<UndoneRecovery> {
    const { parts, queue } = this.live()
    const { cold } = parts
    if (cold === null) return NO_COLD
    const done = await queue.run(() => undoRecovery(parts, cold, chunkId))
    if (done.kind === 'undone') this.held = await this.size()
    return done
  }

  /** The state of the context: its fill, its chunks and those in cold storage, and whether a compaction is due. */
  async status(): Promise<LiveStatus> {
    return liveStatus(this.live().parts)
  }

  /** To be called when the session ends: what the context holds is kept in cold storage for a week. */
  async sessionEnd(): Promise<EndedSession> {
    const { parts, queue, life } = this.live()
    const { cold } = parts
    await queue.run(async () => life?.end())
    this.warn(this.problems.take())
    return cold === null ? NO_COLD : queue.run(() => archiveSession(parts, cold))
  }

  /**
   * Puts a request together: workspace files as they are now, within their caps; a system prompt made anew; history
   * pruned by the policy's rules and within its limits, without thinking unless the policy sends it; all in the one
   * order.
   * @throws WindowRefused in a window that the policy refuses
   */
  async request(input: RequestInput<M>): Promise<AssembledRequest<M>> {
    this.windowWatch.demand()
    const { options, tokensOf, form, snapshot, opened } = this
    opened?.life?.enter('assemble')
    const request = await assembleRequest(
      this.sent,
      {
        options,
        snapshot,
        tokensOf,
        form,
        live: opened && { pruning: opened.pruning, view: (messages) => this.view(messages) },
        tell: (level, line) => this.tell(level, line),
      },
      input,
    )
    return this.withProblems(request)
  }

  /**
   * Finds what has left the conversation; null where there is no cold storage.
   * @internal
   */
  get library(): ColdLibrary | null {
    return this.demandLive().parts.cold?.library ?? null
  }

  /**
   * Tokens of the conversation as it is held; a message is counted once, until it grows.
   * @internal
   */
  async heldTokens(): Promise<Tokens> {
    return (await this.live().parts.agent.held()).tokensFrom(0)
  }

  /**
   * How much the conversation holds, as it was when it was counted; see `extentOf`.
   * @internal
   */
  async heldExtent(): Promise<number> {
    return (await this.demandLive().parts.agent.held()).extent()
  }

  /**
   * Tokens of messages, each counted once as long as it stays as it is.
   * @internal
   */
  sizeOf(messages: readonly M[]): Tokens {
    return this.demandLive().parts.gauge.sum(inParts(this.form, messages))
  }

  private async compactWith(request: LiveCompactionRequest<M>): Promise<LiveOutcome> {
    const { parts, keeper, queue } = this.live()
    const done = await queue.run(() => keeper.note().then(() => compactContext(parts, request)))
    if (done.kind !== 'compacted') return done
    this.held = await this.size()
    this.warn(done.notes)
    return done
  }

  /** Tokens of the conversation as it is sent: a rolling summary counts in the place of what it replaces. */
  private async size(): Promise<number> {
    return sentTokens(this.demandLive().parts)
  }

  /** What of a conversation is sent; see `rolledView`. */
  private async view(messages: readonly M[]): Promise<RolledView<M>> {
    const { state, form } = this.demandLive().parts
    return rolledView(messages, (await state.get()).rolling, form)
  }

  /** What went wrong besides, with what the agent gave. */
  private withProblems<T extends { readonly warnings: readonly string[] }>(done: T): T {
    return { ...done, warnings: [...done.warnings, ...this.problems.take()] }
  }

  /** One line for each thing that went wrong and was got over. */
  private warn(warnings: readonly string[]): void {
    for (const warning of warnings) this.tell('warn', warning)
  }

  private tell(level: Parameters<Diagnose>[0], line: string): void {
    const { agent } = this.options
    agent?.diagnose?.(level, agent.secrets?.mask(line) ?? line)
  }

  /** For each call from outside: messages may have grown in place since the one before. See `demandLive`. */
  private live(): OpenedAgent<M> {
    this.calls += 1
    return this.demandLive()
  }

  /** @throws Error with the code `NO_AGENT` for a manager that was made without one */
  private demandLive(): OpenedAgent<M> {
    if (this.opened !== null) return this.opened
    throw noAgent()
  }

  private noting(): Parameters<typeof noteFlush>[0] {
    const { agent, recall } = this.options
    return { events: recall?.events, session: agent?.session ?? '', at: agent?.clock.now() ?? 0 }
  }
}
