import { originalText } from '../../core/cold/original-text'
import { summaryInside } from '../../core/compaction/rolling'
import type { ContentMessage } from '../../core/history/thinking'
import type { Tokens } from '../../core/units/units'
import type { LiveAgent } from '../live-agent'
import type { PortProblems } from '../port-problems'
import { alignEnd, alignMessages, type Seen } from './align-messages'
import type { SessionEntry, SessionPhase, SessionStore } from './session-store'

type Usage = { readonly prompt: number; readonly output: number } | null | undefined

/**
 * Writes down what is said in a session, turn by turn, and what was measured. Messages are known by their objects, or by
 * what they are; what the ladder put into the context is none of the conversation. A store that fails costs a warning,
 * and the next turn tries again.
 */
export class SessionLife<M extends ContentMessage> {
  private seen: readonly Seen<M>[] = []
  /** Was asked and recorded, and is not in the agent's conversation yet. */
  private asked: readonly Seen<M>[] = []
  /** Of a process before this one, until the conversation is looked at. */
  private earlier: readonly Seen<M>[] = []
  private added: M | null = null
  private isOpen = false
  private input: Tokens | null = null
  private output: Tokens | null = null
  private total: Tokens | null = null
  private isFresh = false
  /** The provider has counted a request of this turn. */
  private isCounted = false
  private compactions = 0

  private constructor(
    private readonly agent: LiveAgent<M>,
    private readonly store: SessionStore,
    private readonly window: Tokens,
    private readonly problems: PortProblems,
  ) {}

  /** null for an agent whose sessions are kept nowhere. */
  static of<M extends ContentMessage>(
    agent: LiveAgent<M>,
    window: Tokens,
    problems: PortProblems,
  ): SessionLife<M> | null {
    return agent.sessions === undefined ? null : new SessionLife(agent, agent.sessions, window, problems)
  }

  /** The agent, whose conversation is looked at before and after each change. */
  watched(): LiveAgent<M> {
    const { agent } = this
    const setContext = async (messages: readonly M[]) => {
      await this.look(await agent.getContext())
      await agent.setContext(messages)
      this.isFresh = false
      await this.changed(messages)
    }
    return Object.setPrototypeOf({ setContext }, agent)
  }

  /** A turn begins: the session is there, and what is asked is in it, whatever becomes of the answer. */
  async begin(incoming: readonly M[]): Promise<void> {
    if (!this.isOpen) await this.open()
    if (!this.isOpen) return
    await this.look(await this.agent.getContext())
    const asked = incoming.map((message): Seen<M> => ({ message, json: originalText(message), id: null }))
    const kept = new Set(this.asked.map(({ json }) => json))
    const written = await this.write(asked.filter(({ json }) => !kept.has(json)))
    this.asked = [...this.asked, ...written]
  }

  /** What the agent adds through the ladder is its own, unlike all else that the ladder puts there. */
  expect(message: M): void {
    this.added = message
  }

  /** A turn has ended. */
  async turn(usage: Usage): Promise<void> {
    if (!this.isOpen) await this.open()
    this.enter('execute')
    await this.look(await this.agent.getContext())
    if (usage != null) this.count(usage)
    this.isFresh = this.isCounted
    this.isCounted = false
    await this.note()
  }

  /** What the provider counted for a request; the index has it when the turn has ended. */
  count({ prompt, output }: NonNullable<Usage>): void {
    this.input = (this.input ?? 0) + prompt
    this.output = (this.output ?? 0) + output
    this.total = prompt + output
    this.isCounted = true
  }

  async end(): Promise<void> {
    this.enter('close')
    await this.look(await this.agent.getContext())
    await this.note()
  }

  enter(phase: SessionPhase): void {
    this.agent.onPhase?.(phase)
  }

  private async open(): Promise<void> {
    const { session } = this.agent
    const opened = await this.problems.wait('sessions.open', NOT_KEPT, () => this.store.open(session))
    if (opened === undefined) return
    this.isOpen = true
    this.earlier = opened.messages.map(({ id, json }) => ({ message: null, json, id }))
    if (opened.isNew) this.enter('create')
    this.enter('start')
  }

  /** Records what the agent added to its conversation since it was looked at last. */
  private async look(messages: readonly M[]): Promise<void> {
    if (!this.isOpen) return
    const known = this.known(alignMessages, messages)
    const news = known.filter(({ id }) => id === null)
    const written = await this.write(news)
    const made = new Map(written.map((one, i) => [news[i], one]))
    this.seen = known.map((one) => made.get(one) ?? one)
    this.earlier = []
  }

  /** The conversation after a change of the ladder: what is new in it was made here. */
  private async changed(messages: readonly M[]): Promise<void> {
    if (!this.isOpen) return
    const known = this.known(alignEnd, messages)
    const head = messages[0]
    const kept = known.find(({ id }) => id !== null && id !== '')
    if (head !== undefined && known[0]?.id === null && this.agent.form.isSummary(head)) {
      this.enter('compact')
      this.compactions += 1
      const summary = summaryInside(this.agent.form.toSource(head, 0)?.text ?? '')
      const tokensBefore = this.total
      if (kept?.id != null) await this.append([{ kind: 'compaction', summary, kept: kept.id, tokensBefore }])
    }
    this.seen = known.map((one) => (one.id !== null || one.message === this.added ? one : { ...one, id: '' }))
  }

  /** Each message with what is known of it. */
  private known(align: typeof alignMessages<M>, messages: readonly M[]): readonly Seen<M>[] {
    const { seen, asked, earlier } = this
    const known = align({ seen, asked, earlier }, messages)
    this.asked = known.asked
    return known.aligned
  }

  /** The messages with the ids of their entries; none where they could not be written. */
  private async write(news: readonly Seen<M>[]): Promise<readonly Seen<M>[]> {
    const ids = await this.append(news.map(({ json }) => ({ kind: 'message', json })))
    return ids.length === news.length ? news.map((one, i) => ({ ...one, id: ids[i] ?? '' })) : []
  }

  private async append(entries: readonly SessionEntry[]): Promise<readonly string[]> {
    if (entries.length === 0) return []
    const { session } = this.agent
    const wait = () => this.store.append(session, entries)
    return (await this.problems.wait('sessions.append', NOT_KEPT, wait)) ?? []
  }

  private async note(): Promise<void> {
    if (!this.isOpen) return
    const { input, output, total, isFresh, window, compactions } = this
    const totals = { inputTokens: input, outputTokens: output, totalTokens: total, isFresh, compactions }
    const wait = () => this.store.note(this.agent.session, { ...totals, contextTokens: window })
    await this.problems.wait('sessions.note', 'The index of sessions is as it was.', wait)
  }
}

const NOT_KEPT = 'What was said is written with the next turn.'
