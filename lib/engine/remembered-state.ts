import { AGENT_START, type AgentMemory, type AgentState } from './agent-memory'

/** The state of one conversation: read once, written when it changes. A memory that fails costs a warning (V4). */
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
    this.state ??= loaded ?? AGENT_START
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

  /** What went wrong with the memory since the last time somebody asked. */
  takeProblems(): string[] {
    return this.problems.splice(0)
  }

  async attempt<T>(what: string, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work()
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      this.problems.push(`The memory of ${this.session} cannot be ${what}: ${why}`)
      return null
    }
  }
}
