import type { PolicyWindow } from '../../core/budget/guard'
import type { ContentMessage } from '../../core/history/thinking'
import type { Policy } from '../../core/policy/policy'
import { estimated, type Figure, measured, UNKNOWN } from '../../core/tokens/figure'
import { costOf } from '../../core/tokens/prices'
import { reasonOf } from '../../core/words/reason-of'
import { ANY_CHUNK } from '../../engine/cold/search-cold'
import type { KnowledgeBase } from '../../engine/knowledge/knowledge-base'
import type { EndedSession, LiveRecovery, UndoneRecovery } from '../cold/cold-memory'
import type { LiveOutcome } from '../compact-context'
import type { ContextManager } from '../context-manager'
import { CallQueue, SERVED } from '../guarded-agent'
import type { LiveStatus } from '../live-status'
import type { TaskKeeper } from '../task-keeper'
import { ContextFitter } from './context-fitter'
import type { FitOptions, FitResult } from './fit-result'
import type { ContextSetup } from './open-setup'
import { readReportedUsage } from './reported-usage'

/** What a request took, as its provider counted it. */
export type ReportedCall = {
  /** Tokens of the whole prompt, and of the answer. */
  readonly prompt: Figure
  readonly output: Figure
  /** US dollars at the prices of the list; unknown for a model that it does not have. */
  readonly cost: Figure
}

/** A chunk in cold storage that words were found in. */
export type ColdMatch = {
  /** Brings it back: `context.recover(id)`. */
  readonly id: string
  readonly text: string
  readonly tokens: number | null
  /** When it left the context. Milliseconds since the epoch. */
  readonly at: number | null
  readonly reason: string | null
}

/** How a context is. */
export type ContextStatus = LiveStatus & {
  readonly model: string
  /** Where the figure of the window comes from. */
  readonly windowFrom: PolicyWindow['source']
  readonly policy: Policy
  /** What the reported calls came to. US dollars at the prices of the list; unknown before the first, or where one of them is. */
  readonly cost: Figure
}

/**
 * Keeps the context of one conversation within its window. The caller keeps his messages; `fit` answers which of them
 * to send, and `report` is given what the provider counted.
 * @example
 * ```ts
 * import { createContext } from 'plimsoll-agent'
 *
 * declare const client: { create(request: object): Promise<{ content: string; usage: object }> }
 * const messages: object[] = [{ role: 'user', content: 'Which berth is free?' }]
 * const context = createContext({ model: 'claude-sonnet-4-5' })
 * const { messages: sent } = await context.fit(messages)
 * const answer = await client.create({ model: 'claude-sonnet-4-5', messages: sent })
 * context.report(answer.usage)
 * messages.push({ role: 'assistant', content: answer.content })
 * ```
 */
export class AgentContext {
  /** The whole ladder beneath: what an agent calls that takes each step itself. */
  readonly manager: ContextManager<ContentMessage>
  /** The agent's tasks; null where `tasks` was not given. */
  readonly tasks: TaskKeeper<ContentMessage> | null
  /** What is known beyond the conversation; null where `facts` was not given. */
  readonly facts: KnowledgeBase | null
  private readonly fitter: ContextFitter
  private readonly queue: CallQueue
  /** null before the first report. */
  private spent: Figure | null = null

  /** @internal `createContext` makes them. */
  constructor(
    private readonly setup: ContextSetup,
    /** Closes what was opened for this context alone. */
    private readonly release: () => void = () => {},
  ) {
    this.fitter = new ContextFitter(setup)
    this.manager = this.fitter.manager
    this.tasks = this.fitter.tasks
    this.facts = this.fitter.facts
    this.queue = new CallQueue(setup.scope)
  }

  /**
   * The messages to send for a conversation, and what was done to it. Give the whole list each time: the one that you
   * keep, with everything that was ever said, or the one that was answered before, with what came since; both are
   * recognised. The list is not changed, and as long as nothing is due its very messages come back. Never fails for a
   * full window, a model that is down or a full disk: `done` says so.
   * @throws ContextOptionError when it is no list of messages; FormError when their form is not known, or they have several
   * @example
   * ```ts
   * import { createContext } from 'plimsoll-agent'
   *
   * const context = createContext({ model: 'claude-sonnet-4-5' })
   * const messages = [{ role: 'user', content: 'Which berth is free?' }]
   * const { messages: sent, done } = await context.fit(messages, { system: 'You keep the log.' })
   * if (done.failure !== null) console.error(done.failure)
   * ```
   */
  async fit<M extends object>(messages: readonly M[], options: FitOptions = {}): Promise<FitResult<M>> {
    this.demandOutside('fit')
    this.fitter.demandMessages(messages)
    return this.queue.run(() => this.fitter.fit(messages, options))
  }

  /**
   * Takes what the provider counted for the last request; it beats every estimate from then on. Usage of Anthropic,
   * OpenAI Chat Completions and Responses, the AI SDK, LangChain and pi, or `{ prompt, output }`.
   * @throws ContextOptionError for any other shape
   * @example
   * ```ts
   * import { createContext } from 'plimsoll-agent'
   *
   * const context = createContext({ model: 'claude-sonnet-4-5' })
   * const { cost } = context.report({ input_tokens: 2_100, output_tokens: 12 })
   * ```
   */
  report(usage: unknown): ReportedCall {
    const { prompt, output, cacheRead, cacheWrite } = readReportedUsage(usage)
    const { provider = null, model, clock } = this.setup
    if (prompt !== null)
      this.queue.run(() => this.fitter.note(prompt, output)).catch((error) => this.warn(error))
    const cost =
      prompt === null || output === null
        ? UNKNOWN
        : costOf(
            {
              input: prompt - cacheRead - cacheWrite,
              output,
              cacheRead,
              cacheWrite,
              costUsd: null,
            },
            { provider, model, at: clock.now() },
          ).listed
    this.spent = this.spent === null ? cost : sumOf(this.spent, cost)
    const figure = (value: number | null) => (value === null ? UNKNOWN : measured(value))
    return { prompt: figure(prompt), output: figure(output), cost }
  }

  /**
   * Compacts now, at any fill; the next `fit` answers what is left.
   * @param options `focus` is kept above all
   * @example
   * ```ts
   * import { createContext } from 'plimsoll-agent'
   *
   * const context = createContext({ model: 'claude-sonnet-4-5' })
   * const { kind } = await context.compact({ focus: 'the berths of today' })
   * ```
   */
  async compact(
    options: { readonly focus?: string; readonly signal?: AbortSignal } = {},
  ): Promise<LiveOutcome> {
    return this.change(() => this.manager.compact(options))
  }

  /**
   * Brings a dropped chunk back; it is at the end of what the next `fit` answers.
   * @example
   * ```ts
   * import { createContext } from 'plimsoll-agent'
   *
   * const context = createContext({ model: 'claude-sonnet-4-5' })
   * const [best] = await context.search('berth of the Aurora')
   * if (best !== undefined) await context.recover(best.id)
   * ```
   */
  async recover(id: string): Promise<LiveRecovery> {
    return this.change(() => this.manager.recover(id))
  }

  /** Takes a recovery back: the chunk is in cold storage again. */
  async undoRecovery(id: string): Promise<UndoneRecovery> {
    return this.change(() => this.manager.undoRecovery(id))
  }

  /**
   * Finds what has left this conversation, the best first.
   * @param limit so many at most
   * @example
   * ```ts
   * import { createContext } from 'plimsoll-agent'
   *
   * const context = createContext({ model: 'claude-sonnet-4-5' })
   * for (const { id, text } of await context.search('crane torque', 3)) console.log(id, text)
   * ```
   */
  async search(query: string, limit = 10): Promise<readonly ColdMatch[]> {
    const { session } = this.setup
    const found = (await this.manager.library?.search(query, { ...ANY_CHUNK, session }, limit))?.found ?? []
    return found.map(({ chunk: { chunkId, content, tokens, at, reason } }) => ({
      ...{ id: chunkId, text: content },
      ...{ tokens, at, reason },
    }))
  }

  /**
   * How full the context is, and what is due.
   * @example
   * ```ts
   * import { createContext } from 'plimsoll-agent'
   *
   * const context = createContext({ model: 'claude-sonnet-4-5' })
   * const { tokens, window, needsCompaction, cost } = await context.status()
   * ```
   */
  async status(): Promise<ContextStatus> {
    const { model, window, policy } = this.setup
    return {
      ...(await this.manager.status()),
      model,
      windowFrom: window.source,
      policy,
      cost: this.spent ?? UNKNOWN,
    }
  }

  /**
   * To be called when the session ends: what the context holds goes to cold storage for a week.
   * @param messages your list with the last answer in it, which no `fit` has seen
   * @throws ContextOptionError when it is no list of messages; FormError when their form is not known, or they have several
   */
  async sessionEnd(messages?: readonly object[]): Promise<EndedSession> {
    if (messages !== undefined) this.fitter.demandMessages(messages)
    return this.queue.run(() => {
      if (messages !== undefined) this.fitter.takeLast(messages)
      return this.manager.sessionEnd()
    })
  }

  /** To be called when the context is not needed any more: its workspace is watched no longer. Stores that you gave stay open. */
  close(): void {
    this.release()
  }

  private async change<T>(work: () => Promise<T>): Promise<T> {
    return this.queue.run(() => this.fitter.change(work))
  }

  private warn(error: unknown): void {
    this.setup.warnings.add(`What the provider counted was not noted: ${reasonOf(error)}`)
  }

  /** While the agent saves its memory, a list that belongs to that turn would be taken for the conversation. */
  private demandOutside(call: string): void {
    if (!this.setup.scope.isInside(SERVED)) return
    throw Object.assign(
      new Error(
        `${call} was called from \`onFlush\` of the same context. Make that turn with a separate context, or with the messages alone.`,
      ),
      { code: 'NESTED_CALL' },
    )
  }
}

/** Of costs at list prices, which are estimated or unknown. */
function sumOf(a: Figure, b: Figure): Figure {
  if (a.basis === 'unknown' || b.basis === 'unknown') return UNKNOWN
  const error = (figure: Figure) =>
    figure.basis === 'estimated' ? (figure.value * figure.errorPct) / 100 : 0
  const value = a.value + b.value
  return estimated(value, value === 0 ? 0 : ((error(a) + error(b)) / value) * 100)
}
