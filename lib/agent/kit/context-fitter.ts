import { countMessage } from '../../core/history/count-message'
import { isUserTurn } from '../../core/history/message'
import { extentOfAll } from '../../core/history/message-extent'
import { splitMessages } from '../../core/history/message-parts'
import { isResult } from '../../core/history/pairing'
import type { ContentMessage } from '../../core/history/thinking'
import { estimated, type Figure } from '../../core/tokens/figure'
import { jsonText } from '../../core/transcript/json'
import type { Tokens } from '../../core/units/units'
import { reasonOf } from '../../core/words/reason-of'
import type { StoredChunk } from '../../engine/cold/cold-store'
import { KnowledgeBase } from '../../engine/knowledge/knowledge-base'
import type { BeforeResponse } from '../before-response'
import { contentForm } from '../content-form'
import { ContextManager } from '../context-manager'
import { instructionsOf } from '../conversation'
import type { FlushPrompt } from '../live-agent'
import { LIVE_ERROR_PCT } from '../live-gauge'
import { sentRules } from '../live-pruning'
import { TaskKeeper } from '../task-keeper'
import type { TaskStore } from '../task-store'
import { CallerList } from './caller-list'
import type { DroppedChunk, FitDone, FitOptions, FitResult } from './fit-result'
import { limitsRequests } from './kit-policy'
import { KnownForm } from './known-form'
import type { ContextSetup } from './open-setup'
import { ContextOptionError, shownValue } from './option-error'
import { SettledRequest } from './settled-request'

/** Of a bootstrap region that is not divided, what the sections of a task may take. Tokens. */
const TASK_BUDGET = 3_000

/** What is sent, and what belongs into the system prompt with it. */
type Sent = {
  readonly messages: readonly ContentMessage[]
  readonly system: string
  readonly warnings: readonly string[]
}

/** The conversation of a context: follows the caller's lists, and lets the ladder work on it before each is sent. */
export class ContextFitter {
  readonly manager: ContextManager<ContentMessage>
  readonly tasks: TaskKeeper<ContentMessage> | null
  readonly facts: KnowledgeBase | null
  private readonly talk = new CallerList<ContentMessage>()
  private readonly form = contentForm<ContentMessage>()
  private readonly known: KnownForm
  private readonly hasLimits: boolean
  /** null where the policy takes more out of requests than their order asks for. */
  private readonly settled: SettledRequest<ContentMessage> | null
  private readonly hasSystem: boolean
  /** What was counted besides the messages, and what reports say is there. Tokens. */
  private counted = 0
  private learned: Tokens | null = null
  /** How much the list held that was brought last; see `extentOf`. */
  private extent = 0
  /** The answer to the list before, as long as nothing else was done since. */
  private last: FitResult<object> | null = null
  private isStarted = false
  private isProvedLarger = false

  constructor(private readonly setup: ContextSetup) {
    const { policy, window, session, scope, clock, countText, cold, chain } = setup
    const { logs, memory, sessions, workspace, search, hooks, secrets, onFlush, provider } = setup
    const { talk, form } = this
    const conversation = {
      getContext: () => talk.held,
      setContext: (messages: readonly ContentMessage[]) => talk.hold(messages),
    }
    this.known = new KnownForm(setup.form)
    this.facts = factsOf(setup)
    this.tasks = tasksOf(setup, { ...conversation, form }, this.facts, () => {
      this.last = null
    })
    this.hasLimits = limitsRequests(policy)
    this.settled =
      this.hasLimits || sentRules(policy).length > 0 ? null : new SettledRequest(provider ?? null)
    this.hasSystem = workspace !== undefined || policy.semantic.enabled || this.tasks !== null
    this.manager = new ContextManager<ContentMessage>({
      policy,
      window: window.tokens,
      key: session,
      countText,
      promptCache: workspace ?? null,
      scope,
      timeLimit: setup.timeLimit,
      fixedTokens: () => Math.max(this.counted, this.learned ?? 0),
      ...(provider === undefined ? {} : { provider }),
      recall: { search: search ?? null, tasks: this.tasks },
      agent: {
        ...{ session, form, clock, chain, cold, dropsByRelevance: setup.dropsByRelevance },
        ...conversation,
        getMessages: (count) => talk.said.slice(-count),
        ...(logs === undefined ? {} : { log: logs }),
        ...(memory === undefined ? {} : { memory }),
        ...(sessions === undefined ? {} : { sessions }),
        ...(hooks === undefined ? {} : { hooks }),
        ...(secrets === undefined ? {} : { secrets }),
        ...(onFlush === undefined ? {} : { onFlush }),
      },
    })
  }

  /** @throws ContextOptionError that says where the list is none; FormError for messages of no form, or of several */
  demandMessages(messages: unknown): void {
    if (!Array.isArray(messages))
      throw new ContextOptionError(
        'messages',
        `fit was given ${shownValue(messages)}: give it the list of messages.`,
      )
    const at = messages.findIndex((message) => typeof message !== 'object' || message === null)
    if (at >= 0)
      throw new ContextOptionError(
        `messages[${at}]`,
        `Message ${at} is ${shownValue(messages[at])}, and no message: an object with role and content, or an item of your provider.`,
      )
    this.known.of(messages)
  }

  /** Notes what the provider counted for the request as it was sent last. */
  async note(prompt: Tokens, output: Tokens | null): Promise<void> {
    if (!this.isStarted) return
    const besides = Math.max(0, prompt - (await this.manager.heldTokens()))
    this.learned = Math.min(this.learned ?? besides, besides)
    await this.change(() => this.manager.noteUsage(prompt, output))
    const { window, warnings } = this.setup
    if (prompt <= window.uncapped || this.isProvedLarger) return
    this.isProvedLarger = true
    warnings.add(
      `The provider took a prompt of ${prompt} tokens: the window is larger than the ${window.tokens} that count here. Give \`window\`.`,
    )
  }

  /** Takes a list in that is not to be sent any more: the one with the last answer. */
  takeLast(messages: readonly ContentMessage[]): void {
    this.talk.take(messages.slice(instructionsOf(messages).length))
    this.last = null
  }

  /** Does something to the conversation besides fitting it, so that the next list is looked at anew. */
  async change<T>(work: () => Promise<T>): Promise<T> {
    this.last = null
    return work()
  }

  async fit<M extends object>(messages: readonly M[], options: FitOptions): Promise<FitResult<M>> {
    const { talk, setup } = this
    const list: readonly ContentMessage[] = messages
    const instructions = instructionsOf(list)
    const counted = this.sum(instructions) + this.countBeside(options)
    const wasChanged = talk.isChanged
    const before = talk.held.length
    const arrival = talk.take(list.slice(instructions.length))
    const isAgain = arrival.kind === 'grown' && arrival.added.length === 0 && counted === this.counted
    this.counted = counted
    const holds = isAgain && (await setup.workspace?.isKept()) !== false
    // Asked after that: a task may have changed meanwhile.
    if (holds && this.last !== null && extentOfAll(list) === this.extent)
      return this.again(this.last, instructions)
    if (arrival.kind !== 'grown') await this.manager.noteUsage(null)
    if (arrival.kind === 'new' && wasChanged)
      setup.warnings.add(
        `Message ${instructions.length + arrival.differsAt} is another one than in the call before, among those that have left the context since: the list is taken as a new conversation.`,
      )
    const incoming = this.holdBack()
    const hasAnswer =
      arrival.kind === 'grown' &&
      before > 0 &&
      arrival.added.length >= incoming.length &&
      // It may have come with an earlier list.
      !this.isAsked(talk.said.at(-1 - incoming.length))
    const pass = await this.climb(incoming, hasAnswer, options.signal)
    this.extent = await this.extentNow(list, instructions, incoming)
    const sent = await this.assemble(incoming, pass?.flush ?? null)
    setup.warnings.add(...(pass?.warnings ?? []), ...sent.warnings)
    const stored = setup.cold.takeStored()
    const result = {
      messages: [...instructions, ...talk.give(sent.messages)] as object[] as M[],
      system: sent.system,
      done: this.done(pass, incoming, sent, stored),
    }
    this.isStarted = true
    this.last = result
    setup.workspace?.keep()
    if (stored !== null) this.prepareSearch()
    return result
  }

  /** How much the caller's list holds. Where it is the conversation, that was looked at just now. */
  private async extentNow(
    list: readonly ContentMessage[],
    instructions: readonly ContentMessage[],
    incoming: readonly ContentMessage[],
  ): Promise<number> {
    const { talk, manager } = this
    if (talk.differs([...talk.held, ...incoming])) return extentOfAll(list)
    return extentOfAll(instructions) + (await manager.heldExtent()) + extentOfAll(incoming)
  }

  /** While the model is asked: the next question finds what has left without reading all of it first. */
  private prepareSearch(): void {
    const pause = () =>
      new Promise<void>((resolve) => {
        const timer: unknown = setTimeout(resolve)
        // No process stays for that; a browser's timers are numbers.
        const { unref } = timer as { unref?(): void }
        unref?.call(timer)
      })
    // A store that cannot be read is said when it is searched.
    this.manager.library?.prepare(pause).catch(() => undefined)
  }

  /** Nothing was said since, and nothing done: what was answered then holds, and nothing is done twice. */
  private again<M extends object>(
    { system, done }: FitResult<object>,
    instructions: readonly ContentMessage[],
  ): FitResult<M> {
    const { talk, setup } = this
    const { after, window, failure } = done
    return {
      messages: [...instructions, ...talk.give(talk.sentLast)] as object[] as M[],
      system,
      done: {
        ...{ steps: [], before: after, after, window, summary: null, dropped: [], returned: [], failure },
        warnings: setup.warnings.take(),
      },
    }
  }

  /** What is asked now is no part of the conversation yet: it says what matters, and always stays. */
  private holdBack(): readonly ContentMessage[] {
    const { held } = this.talk
    let from = held.length
    while (from > 0 && this.isAsked(held[from - 1])) from -= 1
    this.talk.hold(held.slice(0, from))
    return held.slice(from)
  }

  private isAsked(message: ContentMessage | undefined): boolean {
    if (message === undefined || !this.talk.isBrought(message) || this.form.isSummary(message)) return false
    const parts = splitMessages([message])
    return parts.every((part) => isUserTurn(part) && !isResult(part))
  }

  /** One walk up the ladder. null: it failed altogether, and the conversation is sent as it is. */
  private async climb(
    incoming: readonly ContentMessage[],
    hasAnswer: boolean,
    signal: AbortSignal | undefined,
  ): Promise<BeforeResponse | null> {
    const { manager, setup } = this
    try {
      if (hasAnswer && incoming.length > 0) {
        const ended = await manager.afterResponse({ signal })
        setup.warnings.add(...ended.warnings)
      }
      return await manager.beforeResponse(incoming, signal)
    } catch (error) {
      setup.warnings.add(`The context could not be fitted and is sent as it is: ${reasonOf(error)}`)
      return null
    }
  }

  /** @param flush the request to save memory, which goes with what is sent now */
  private async assemble(incoming: readonly ContentMessage[], flush: FlushPrompt | null): Promise<Sent> {
    const { talk, manager, hasLimits, hasSystem } = this
    const whole = [...talk.held, ...incoming]
    const isOwn = !hasLimits && flush?.delivery !== 'user' && !talk.differs(whole)
    const settled = isOwn ? null : this.settled
    const { length } = talk.held
    const from = settled?.lengthIn(whole, length) ?? 0
    // Of what is sent as it is, nothing is left out.
    const history = isOwn ? [] : talk.held.slice(from)
    try {
      if (isOwn && !hasSystem && flush === null) return { messages: whole, system: '', warnings: [] }
      const { messages, system, warnings } = await manager.request({
        ...{ parts: { identity: '' }, prompt: incoming, history },
      })
      const sent = isOwn ? whole : messages.map(({ message }) => message)
      const all = settled?.complete(whole, length, from, sent) ?? sent
      return { messages: all, system: system.text, warnings }
    } catch (error) {
      const warnings = [`The request could not be put together by the policy's limits: ${reasonOf(error)}`]
      return { messages: whole, system: '', warnings }
    } finally {
      talk.hold(whole)
    }
  }

  private done(
    pass: BeforeResponse | null,
    incoming: readonly ContentMessage[],
    sent: Sent,
    stored: (() => readonly StoredChunk[]) | null,
  ): FitDone {
    const { setup, hasLimits } = this
    const coming = this.sum(incoming)
    const size = () =>
      estimated(Math.max(this.counted, this.learned ?? 0) + this.sum(sent.messages), LIVE_ERROR_PCT)
    const compaction = pass?.compaction?.kind === 'compacted' ? pass.compaction.summary : null
    let dropped: readonly DroppedChunk[] | null = stored === null ? [] : null
    return {
      steps: pass?.steps ?? [],
      before: pass === null ? size() : plus(pass.before.tokens, coming),
      after: pass === null || hasLimits ? size() : plus(pass.after.tokens, coming),
      window: setup.window.tokens,
      summary: compaction === null ? null : { text: compaction.text, by: compaction.by ?? compaction.source },
      // Thousands of chunks are listed when somebody looks at them.
      get dropped() {
        dropped ??= (stored?.() ?? []).map(asDropped)
        return dropped
      },
      returned: (pass?.recovered ?? []).map(({ chunk, tokens, score }) => ({
        id: chunk.chunkId,
        tokens,
        score,
      })),
      failure: pass === null ? this.overfull(size().value) : pass.failure,
      warnings: setup.warnings.take(),
    }
  }

  /** Where the ladder failed: whether what is sent can fit at all. */
  private overfull(tokens: Tokens | null): string | null {
    const { tokens: window } = this.setup.window
    return tokens === null || tokens <= window
      ? null
      : `The context could not be fitted, as a warning says: its ${Math.round(tokens)} tokens are more than the window of ${window}.`
  }

  private countBeside({ system, tools }: FitOptions): Tokens {
    const prompt =
      system === undefined || system === null
        ? 0
        : countMessage({ role: 'system', content: system }, this.setup.countText)
    return prompt + (tools === undefined || tools === null ? 0 : this.setup.countText(jsonText(tools)))
  }

  private sum(messages: readonly ContentMessage[]): Tokens {
    return messages.length === 0 ? 0 : this.manager.sizeOf(messages)
  }
}

function asDropped({ record: { chunkId, tokens, reason, score } }: StoredChunk): DroppedChunk {
  return { id: chunkId, tokens, reason, score }
}

/** A figure with what comes in besides, which is estimated. */
function plus(figure: Figure, coming: Tokens): Figure {
  if (figure.value === null || coming === 0) return figure
  const error = figure.basis === 'estimated' ? figure.value * figure.errorPct : 0
  const value = figure.value + coming
  return estimated(value, (error + coming * LIVE_ERROR_PCT) / value)
}

function factsOf({ facts, clock }: ContextSetup): KnowledgeBase | null {
  return facts === undefined
    ? null
    : new KnowledgeBase({ store: facts, clock, newId: () => crypto.randomUUID() })
}

function tasksOf(
  { tasks, session, policy, clock, countText, cold, chain, secrets }: ContextSetup,
  conversation: Pick<
    ConstructorParameters<typeof TaskKeeper<ContentMessage>>[0],
    'getContext' | 'setContext'
  > & {
    readonly form: ReturnType<typeof contentForm<ContentMessage>>
  },
  knowledge: KnowledgeBase | null,
  /** Called as tasks change, which the system prompt speaks of. */
  changed: () => void,
): TaskKeeper<ContentMessage> | null {
  if (tasks === undefined) return null
  const { form, ...talk } = conversation
  const store: TaskStore = {
    load: (name) => tasks.load(name),
    save: async (name, stored) => {
      await tasks.save(name, stored)
      changed()
    },
  }
  return new TaskKeeper({
    ...{ session, policy, clock, cold, chain, knowledge, store, sizeOf: countText, budget: TASK_BUDGET },
    ...talk,
    form: { ...form, tokensOf: (message) => countMessage(message, countText) },
    ...(secrets === undefined ? {} : { secrets }),
  })
}
