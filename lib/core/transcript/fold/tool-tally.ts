import type { Tokens } from '../../units/units'
import type { EntryFact } from '../entry'

/** What one tool was asked and answered in a session. Tokens are estimator units: right to a quarter or so. */
export type ToolTotals = {
  readonly tool: string
  readonly calls: number
  readonly results: number
  /** Results that the runtime marked as errors. */
  readonly failed: number
  readonly argumentTokens: Tokens
  readonly resultTokens: Tokens
  /** Of one result. */
  readonly largest: Tokens
  /** Arguments and results in the prompts of all calls since, each call counted, up to the next compaction. */
  readonly sentTokens: Tokens
  /** Of these, what the next call sends. */
  readonly held: Tokens
}

/** Plain JSON of bounded size, part of the fold's snapshot. */
export type ToolTallyState = {
  readonly tools: readonly ToolTotals[]
  /** Calls whose result has not come: id and tool. */
  readonly open: readonly (readonly [id: string, tool: string])[]
  /** Arguments of the last answer, which its own call did not send. */
  readonly coming: readonly (readonly [tool: string, tokens: Tokens])[]
}

export const NO_TOOLS: ToolTallyState = { tools: [], open: [], coming: [] }

/** More tools than this are counted together: a transcript can name any number of them. */
const MOST_TOOLS = 200
const OTHER_TOOLS = 'other tools'
const MOST_OPEN = 64
const LONGEST_NAME = 120
const UNNAMED = 'unnamed tool'

type Growing = { -readonly [K in keyof ToolTotals]: ToolTotals[K] }

/**
 * Counts tools over a session in the order of its file. What a rewind takes out of the window counts as sent until the
 * next compaction; what a compaction keeps does not count after it.
 */
export class ToolTally {
  private readonly tools = new Map<string, { readonly now: Growing; taken: ToolTotals | null }>()
  private readonly open: Map<string, string>
  private coming: (readonly [tool: string, tokens: Tokens])[]

  constructor({ tools, open, coming }: ToolTallyState = NO_TOOLS) {
    for (const tool of tools) this.tools.set(tool.tool, { now: { ...tool }, taken: tool })
    this.open = new Map(open)
    this.coming = [...coming]
  }

  /** A tool that has not changed since the last snapshot is the same object in the next. */
  snapshot(): ToolTallyState {
    const tools = [...this.tools.values()].map((tool) => {
      tool.taken ??= { ...tool.now }
      return tool.taken
    })
    return { tools, open: [...this.open], coming: [...this.coming] }
  }

  /** Takes the next entry. Calls are counted by `addCall`. */
  addEntry({ role, calls, units, toolName, resultFor, isError }: EntryFact): void {
    if (calls !== undefined && calls.length > 0) {
      const each = Math.round((units?.['tool-call'] ?? 0) / calls.length)
      for (const { id, name } of calls) this.ask(id, nameOf(name), each)
    }
    if (role !== 'toolResult') return
    this.settle()
    const asked = resultFor === undefined ? undefined : this.open.get(resultFor)
    if (resultFor !== undefined) this.open.delete(resultFor)
    const tokens = Math.round((units?.['tool-result'] ?? 0) + (units?.image ?? 0))
    const tool = this.of(toolName === undefined ? (asked ?? UNNAMED) : nameOf(toolName))
    tool.results += 1
    tool.failed += isError === true ? 1 : 0
    tool.resultTokens += tokens
    tool.largest = Math.max(tool.largest, tokens)
    tool.held += tokens
  }

  /** A call was made: what is in the window was sent. */
  addCall(): void {
    for (const tool of this.tools.values()) {
      if (tool.now.held <= 0) continue
      tool.now.sentTokens += tool.now.held
      tool.taken = null
    }
    this.settle()
  }

  /** The context begins anew. */
  addBoundary(): void {
    this.coming = []
    this.open.clear()
    for (const tool of this.tools.values()) {
      if (tool.now.held === 0) continue
      tool.now.held = 0
      tool.taken = null
    }
  }

  private ask(id: string, name: string, tokens: Tokens): void {
    const tool = this.of(name)
    tool.calls += 1
    tool.argumentTokens += tokens
    this.coming.push([tool.tool, tokens])
    this.open.set(id, name)
    if (this.open.size <= MOST_OPEN) return
    for (const [oldest] of this.open) {
      this.open.delete(oldest)
      break
    }
  }

  /** Arguments are in the window from the next call on. */
  private settle(): void {
    for (const [name, tokens] of this.coming) this.of(name).held += tokens
    this.coming = []
  }

  private of(name: string): Growing {
    const known = this.tools.get(name)
    if (known !== undefined) {
      known.taken = null
      return known.now
    }
    if (this.tools.size >= MOST_TOOLS && name !== OTHER_TOOLS) return this.of(OTHER_TOOLS)
    const now: Growing = {
      ...{ tool: name, calls: 0, results: 0, failed: 0, argumentTokens: 0, resultTokens: 0 },
      ...{ largest: 0, sentTokens: 0, held: 0 },
    }
    this.tools.set(name, { now, taken: null })
    return now
  }
}

function nameOf(name: string): string {
  return name === '' ? UNNAMED : name.slice(0, LONGEST_NAME)
}
