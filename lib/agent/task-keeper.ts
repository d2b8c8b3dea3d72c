import { joinParts } from '../core/history/message-parts'
import type { ContentMessage } from '../core/history/thinking'
import { changeTasks, type NewTask, type TaskChange } from '../core/memory/change-tasks'
import { extractFacts, type FoundFact } from '../core/memory/extract-facts'
import { factPrompt, readFactReply } from '../core/memory/fact-prompt'
import type { MemoryEvent } from '../core/memory/memory-event'
import { knowledgeSection } from '../core/memory/rank-facts'
import { activeTask, findTask, type Task, type TaskTree } from '../core/memory/task'
import { readyTasks, taskCycles } from '../core/memory/task-order'
import { dependencyContext, taskSection } from '../core/memory/task-text'
import { searchWorkingMemory, type WorkingEntry } from '../core/memory/working-memory'
import type { Policy } from '../core/policy/policy'
import { maskSecrets } from '../core/redaction/secrets'
import type { MessageForm } from '../core/summary/message-form'
import { reasonOf } from '../core/words/reason-of'
import type { ColdStore } from '../engine/cold/cold-store'
import type { KnowledgeBase, Learned } from '../engine/knowledge/knowledge-base'
import { addedSince } from '../engine/knowledge/message-key'
import type { Clock } from '../engine/read/ports'
import type { SummaryChain } from '../engine/summary/summary-chain'
import { type ArchivedResults, archiveResults, markOf, startOf } from './cold/archive-results'
import { keepCopies, SUMMARISED_REASON } from './cold/keep-copies'
import { conversationInParts } from './conversation'
import type { MemoryEvents } from './memory-events'
import { summariseWork } from './summarise-work'
import { NO_STORED_TASKS, type StoredTasks, type TaskStore } from './task-store'

/** What a `TaskKeeper` works with: the conversation, where tasks are kept, and what it learns with. */
export type TaskKeeperOptions<M extends ContentMessage> = {
  /** Names the conversation, as for its `ContextManager`. */
  readonly session: string
  readonly policy: Policy
  readonly store: TaskStore
  readonly clock: Clock
  readonly getContext: () => readonly M[] | Promise<readonly M[]>
  readonly setContext: (messages: readonly M[]) => void | Promise<void>
  readonly form: MessageForm<M>
  readonly sizeOf: (text: string) => number
  /** Most tokens that the sections of a task take in the system prompt. */
  readonly budget: number
  /** Where the results of completed tasks are kept as they were; without it only what the task came to is. */
  readonly cold?: ColdStore
  /** Long-term memory; without one nothing is learned, and nothing recalled. */
  readonly knowledge?: KnowledgeBase | null
  /** Whom facts concern: a workspace or an agent; null: everybody. */
  readonly scope?: string | null
  /** Models that say what a task came to where the agent does not; a digest says it without. */
  readonly chain?: SummaryChain | null
  /** Let those models find facts in what a task came to, besides those that are found without one. */
  readonly asksForFacts?: boolean
  readonly secrets?: { readonly mask: (text: string) => string; readonly isSecret: (text: string) => boolean }
  readonly events?: MemoryEvents
}

/** What became of a change of tasks: the task as it is now, or why it was refused. */
export type KeptChange =
  | { readonly ok: true; readonly task: Task; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problem: string }

/** What became of completing a task: what was learned, and what left the context; or why it was refused. */
export type CompletedTask =
  | {
      readonly ok: true
      readonly task: Task
      readonly learned: Learned
      readonly putAway: Pick<ArchivedResults<unknown>, 'results' | 'tokens'>
      readonly warnings: readonly string[]
    }
  | { readonly ok: false; readonly problem: string }

const NOTHING_LEARNED: Learned = { added: [], confirmed: [], contradicted: [] }
/** Of the room for a task, what its dependencies may take; knowledge gets the rest. */
const DEPENDENCY_SHARE = 0.75

/**
 * The working memory of a live agent: keeps its tasks, puts the details of completed ones away, and has
 * ready what a task needs of those before it and of what is known. What is kept is on disk before anything leaves
 * the context. Failing knowledge costs a warning, never the task.
 *
 * @example
 * ```ts
 * import { CONTENT_FORM, Conversation, countMessage, DEFAULT_POLICY, estimateUnits, TaskKeeper, transientTasks } from 'plimsoll-agent'
 *
 * const { getContext, setContext } = new Conversation()
 * const tasks = new TaskKeeper({
 *   session: 'main', policy: DEFAULT_POLICY, store: transientTasks(), clock: { now: Date.now },
 *   getContext, setContext, form: { ...CONTENT_FORM, tokensOf: (message) => countMessage(message) },
 *   sizeOf: (text) => text.length / 4, budget: 3_000,
 * })
 * await tasks.add({ id: 'log', title: 'Find the log of the crane' })
 * await tasks.start('log')
 * await tasks.complete('log', { summary: 'The crane logs to /var/log/crane.log.' })
 * ```
 */
export class TaskKeeper<M extends ContentMessage> {
  private kept: StoredTasks | null = null
  private tail: Promise<unknown> = Promise.resolve()

  private readonly options: TaskKeeperOptions<M>

  constructor(options: TaskKeeperOptions<M>) {
    const { form } = options
    // Results are archived one by one, whatever message they came in; messages are sized whole.
    const tokensOf = (part: M) => joinParts([part]).reduce((sum, message) => sum + form.tokensOf(message), 0)
    const talk = conversationInParts(options, form, { sizeOf: form.tokensOf })
    this.options = { ...options, ...talk, form: { ...form, tokensOf } }
  }

  async tree(): Promise<TaskTree> {
    return (await this.load()).tree
  }

  /** What can be started now, the most urgent first. */
  async ready(): Promise<readonly Task[]> {
    return readyTasks(await this.tree())
  }

  /** Rings of tasks that wait for each other. */
  async cycles(): Promise<readonly (readonly string[])[]> {
    return taskCycles(await this.tree())
  }

  /** What tasks came to, the best match first. */
  async search(query: string, limit?: number): Promise<readonly WorkingEntry[]> {
    return searchWorkingMemory(await this.tree(), query, limit)
  }

  add(task: NewTask): Promise<KeptChange> {
    return this.change({ kind: 'add', task })
  }

  /**
   * Adds, edits, fails, cancels or reopens; for `start` and `complete` there are methods that do what belongs to it.
   */
  change(change: Exclude<TaskChange, { kind: 'start' | 'complete' }>): Promise<KeptChange> {
    return this.inTurn(async () => {
      const done = await this.apply(change)
      if (!done.ok) return done
      return { ok: true, task: this.named(changedId(change)), warnings: [] }
    })
  }

  /** Starts a task: from now on the system prompt has what it needs, and what is known that fits it. */
  start(id: string): Promise<KeptChange> {
    return this.inTurn(async () => {
      const { getContext, form, knowledge, scope = null, session, clock } = this.options
      const done = await this.apply({ kind: 'start', id })
      if (!done.ok) return done
      const task = this.named(id)
      const warnings: string[] = []
      let facts: readonly string[] = []
      try {
        const found = (await knowledge?.recall(task.title, scope)) ?? []
        // Others may write into the same store.
        facts = found.map(({ fact }) => maskSecrets(fact.content))
        if (knowledge != null)
          await this.note(
            {
              at: clock.now(),
              session,
              kind: 'knowledge',
              task: id,
              facts: found.map(({ fact }) => fact.id),
            },
            warnings,
          )
      } catch (error) {
        warnings.push(`Nothing was recalled for ${id}: ${reasonOf(error)}`)
      }
      const before = await this.load()
      await this.save({
        ...before,
        marks: { ...before.marks, [id]: markOf(form, await getContext()) },
        recalled: { ...before.recalled, [id]: facts },
      })
      return { ok: true, task, warnings }
    })
  }

  /**
   * Completes a task: what it came to is kept, facts are taken from it, and then its tool results leave the
   * context.
   * @param result without a summary of the agent's own one is made of what was done
   */
  complete(
    id: string,
    result: {
      readonly summary?: string
      readonly artifacts?: readonly string[]
      readonly signal?: AbortSignal
    } = {},
  ): Promise<CompletedTask> {
    return this.inTurn(async () => {
      const { getContext, form, clock, session, secrets } = this.options
      const before = await this.load()
      const messages = await getContext()
      const mark = before.marks[id]
      const start = mark === undefined ? messages.length : startOf(form, messages, mark)
      const work = messages.slice(start).flatMap((message, i) => form.toSource(message, start + i) ?? [])
      const warnings: string[] = []
      const own = result.summary?.trim() ?? ''
      const known = findTask(before.tree, id)
      const isWorkedOn = known?.state === 'active'
      const summary = own !== '' || !isWorkedOn ? own : await this.summarise(work, warnings, result.signal)
      const masked = secrets?.mask(summary) ?? summary
      const done = await this.apply({ kind: 'complete', id, summary: masked, artifacts: result.artifacts })
      if (!done.ok) return done
      const task = this.named(id)
      const learned = await this.learn(task, work, warnings)
      const away = archiveResults(messages, start, task, form)
      const isReplaced = away.results > 0 && (await this.replace(messages, away.messages, warnings))
      const archived = isReplaced ? { results: away.results, tokens: away.tokens } : { results: 0, tokens: 0 }
      const { marks, recalled, tree } = await this.load()
      await this.save({ tree, marks: without(marks, id), recalled: without(recalled, id) })
      await this.note(
        {
          at: clock.now(),
          session,
          kind: 'completed',
          task: id,
          added: learned.added.length,
          confirmed: learned.confirmed.length,
          contradicted: learned.contradicted.length,
          clearedResults: archived.results,
          clearedTokens: archived.tokens,
        },
        warnings,
      )
      return { ok: true, task, learned, putAway: archived, warnings }
    })
  }

  /**
   * What the system prompt says while a task is active, within the budget to the token; empty otherwise.
   */
  async section(): Promise<string> {
    const { tree, recalled } = await this.load()
    const { budget, sizeOf } = this.options
    const task = activeTask(tree)
    if (task === null) return ''
    const head = taskSection(tree)
    const rest = budget - sizeOf(head)
    if (rest <= 0) return sizeOf(head) <= budget ? head : ''
    const facts = (recalled[task.id] ?? []).map((content) => ({ content }))
    let share = Math.floor(rest * (facts.length === 0 ? 1 : DEPENDENCY_SHARE))
    for (;;) {
      const needed = dependencyContext(tree, task, { budget: share, sizeOf })
      const without = needed === '' ? head : `${head}\n\n${needed}`
      if (sizeOf(without) <= budget) {
        // Sizes of parts need not add up to the size of the whole.
        const whole = (known: string) => sizeOf(`${without}\n\n${known}`)
        const known = knowledgeSection(facts, { budget, sizeOf: whole })
        return known === '' ? without : `${without}\n\n${known}`
      }
      if (share === 0) return head
      share = Math.floor(share * 0.95)
    }
  }

  /**
   * Puts messages in the place of those that were read; what came in since, while a model was asked, stays behind them.
   */
  private async replace(read: readonly M[], by: readonly M[], warnings: string[]): Promise<boolean> {
    const { getContext, setContext, form, session, policy, cold, clock } = this.options
    const ports = cold === undefined ? null : { store: cold, now: () => clock.now() }
    const kept = await keepCopies({ session, form, policy, ports }, read, by, SUMMARISED_REASON)
    if (kept.kind === 'refused') {
      warnings.push(`The results of the task stay in the context: ${kept.refusal.message}`)
      return false
    }
    const since = addedSince(form, read, await getContext())
    if (since === null) {
      warnings.push('The conversation was changed meanwhile, so the results of the task stay in it.')
      return false
    }
    await setContext([...by, ...since])
    return true
  }

  private async summarise(
    work: Parameters<typeof summariseWork>[0],
    warnings: string[],
    signal?: AbortSignal,
  ): Promise<string> {
    const { policy, chain = null, sizeOf, secrets } = this.options
    const summary = { sizeOf, mask: secrets?.mask ?? plain, isSecret: secrets?.isSecret ?? never }
    const options = { policy, summary, maxTokens: policy.summary.targetTokens }
    const written = await summariseWork(work, null, { ...options, chain, signal })
    if (written.kind === 'written') return written.text
    if (written.kind === 'failed') warnings.push(...written.notes)
    const digested = await summariseWork(work, null, { ...options, chain: null })
    return digested.kind === 'written' ? digested.text : ''
  }

  private async learn(
    task: Task,
    work: Parameters<typeof summariseWork>[0],
    warnings: string[],
  ): Promise<Learned> {
    const { knowledge, scope = null, secrets } = this.options
    if (knowledge == null || task.result === null) return NOTHING_LEARNED
    try {
      const found = extractFacts(task, task.result, work, secrets?.isSecret)
      const asked = await this.askForFacts(task, warnings)
      const isSecret = secrets?.isSecret ?? never
      return await knowledge.learn([...found, ...asked.filter(({ content }) => !isSecret(content))], scope)
    } catch (error) {
      warnings.push(`Nothing was learned of ${task.id}: ${reasonOf(error)}`)
      return NOTHING_LEARNED
    }
  }

  private async askForFacts(task: Task, warnings: string[]): Promise<readonly FoundFact[]> {
    const { policy, chain = null, asksForFacts = false } = this.options
    if (!asksForFacts || chain === null || task.result === null) return []
    const request = { prompt: factPrompt(task, task.result), maxTokens: policy.summary.targetTokens }
    const answer = await chain.ask(request, policy)
    warnings.push(...answer.notes)
    const facts = answer.ok ? readFactReply(answer.text, task, task.result) : []
    if (facts === null) warnings.push(`The facts of ${task.id} that a model answered cannot be read.`)
    return facts ?? []
  }

  private async apply(
    change: TaskChange,
  ): Promise<{ readonly ok: true } | { readonly ok: false; readonly problem: string }> {
    const before = await this.load()
    const done = changeTasks(before.tree, change, this.options.clock.now())
    if (!done.ok) return done
    if (done.tree !== before.tree) await this.save({ ...before, tree: done.tree })
    return { ok: true }
  }

  private named(id: string): Task {
    const task = findTask((this.kept ?? NO_STORED_TASKS).tree, id)
    if (task === null) throw new Error(`task ${id} is gone`)
    return task
  }

  private async load(): Promise<StoredTasks> {
    this.kept ??= await this.options.store.load(this.options.session)
    return this.kept
  }

  private async save(tasks: StoredTasks): Promise<void> {
    await this.options.store.save(this.options.session, tasks)
    this.kept = tasks
  }

  private async note(event: MemoryEvent, warnings: string[]): Promise<void> {
    try {
      await this.options.events?.note(event)
    } catch (error) {
      warnings.push(`The log of the memory cannot be written: ${reasonOf(error)}`)
    }
  }

  /** One change after the other: each begins with what the one before it left. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.tail.then(work)
    this.tail = done.catch(() => undefined)
    return done
  }
}

function changedId(change: Exclude<TaskChange, { kind: 'start' | 'complete' }>): string {
  return change.kind === 'add' ? change.task.id : change.id
}

function without<V>(record: { readonly [key: string]: V }, key: string): { readonly [key: string]: V } {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key))
}

const plain = (text: string) => text
const never = () => false
