import type { HistoryMessage } from '../core/history/message'
import { CHECKPOINT_START } from '../core/memory/checkpoint'
import { afterCompaction } from '../core/memory/flush'
import type { MessageForm } from '../core/summary/message-form'
import { reasonOf } from '../core/words/reason-of'
import { AGENT_START, type AgentMemory, type AgentState } from '../engine/knowledge/agent-memory'
import { messageKey } from '../engine/knowledge/message-key'

/** The state of one conversation: read once, written when it changes. A memory that fails costs a warning. */
export class RememberedState {
  private state: AgentState | null = null
  private readonly problems: string[] = []

  constructor(
    readonly memory: AgentMemory,
    readonly session: string,
  ) {}

  async get(): Promise<AgentState> {
    if (this.state !== null) return this.state
    const loaded = await this.attempt('read', () => this.memory.load(this.session))
    // Another caller may have been quicker.
    this.state ??= { ...AGENT_START, ...loaded }
    return this.state
  }

  /** Changes what is remembered; `change` answers the same object when nothing is different. */
  async update(change: (state: AgentState) => AgentState): Promise<AgentState> {
    const before = await this.get()
    const after = change(this.state ?? before)
    if (after === this.state) return after
    this.state = after
    await this.attempt('written', () => this.memory.save(this.session, after))
    return after
  }

  /** What went wrong with the memory since the last request, each once. */
  takeProblems(): string[] {
    return [...new Set(this.problems.splice(0))]
  }

  async attempt<T>(what: string, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work()
    } catch (error) {
      const why = reasonOf(error)
      this.problems.push(`The memory of ${this.session} cannot be ${what}: ${why}`)
      return null
    }
  }
}

/**
 * What is remembered after a compaction: flush and checkpoints are due anew, turns are counted anew, and it is known
 * where the conversation was.
 * @param messages the conversation as the compaction left it
 */
export function startCycle<M extends HistoryMessage>(
  state: AgentState,
  form: Pick<MessageForm<M>, 'toSource'>,
  messages: readonly M[],
): AgentState {
  return {
    ...state,
    flush: afterCompaction(),
    checkpoint: CHECKPOINT_START,
    turns: 0,
    compactions: state.compactions + 1,
    waited: false,
    rolling: null,
    compacted: placeOf(form, messages),
  }
}

/** Where a conversation ends; null for an empty one. */
export function placeOf<M extends HistoryMessage>(
  form: Pick<MessageForm<M>, 'toSource'>,
  messages: readonly M[],
): AgentState['compacted'] {
  const last = messages.at(-1)
  return last === undefined
    ? null
    : { count: messages.length, key: messageKey(form, last, messages.length - 1) }
}
