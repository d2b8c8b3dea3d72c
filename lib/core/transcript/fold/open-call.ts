import type { EntryUnits } from '../../tokens/category'
import { addToSums, type ContextSums, EMPTY_SUMS } from '../../tokens/context-sums'
import type { Frame } from '../../tokens/frame'
import type { EntryFact, FixedUnits, ToolCallRef, Usage } from '../entry'
import type { NodeState } from '../replay-state'

/**
 * The last call of a runtime that writes a response in several records, to which the next ones may add. Plain JSON.
 */
export type OpenCall = {
  /** Number of the call, from 1. */
  readonly call: number
  /** Its first record, with the units and tool calls of all of them so far, and the usage as far as it is known. */
  readonly answer: EntryFact
  /** The context that it was sent. */
  readonly before: NodeState
  readonly frame: Frame
  /** Something came after its records: a further answer without an id is another call's. */
  readonly isClosed: boolean
  /** Something else than its records and their results came after them. */
  readonly isLeft: boolean
}

/** What must be remembered of a transcript whose calls are written in several records. Plain JSON. */
export type RecordsState = {
  readonly open: OpenCall | null
  /** Where reports on usage are: before the records of their call, or after them; null: none has come. */
  readonly order: 'before' | 'after' | null
  /** A report on usage that came before the records of its call. */
  readonly pending: Usage | null
  /** What had been billed by the last report; the same again is a repetition. */
  readonly billed: number | null
  /** What the last report said, if it named its response: one that names none and says the same repeats it. */
  readonly named?: Usage
  /** Requests of sub-agents within the file that were counted last: more may come of them. */
  readonly agents: readonly { readonly id: string; readonly usage: Usage }[]
  /** Names of the tools that were called last, by the id of the call. */
  readonly names: readonly ToolCallRef[]
  /** What the transcript says of the part before the conversation and of the window. */
  readonly fixed: FixedUnits | null
  readonly windows: { readonly [model: string]: number }
  /** It went back to an earlier place, and no request was made from there: what answers may be a copy. */
  readonly strayed?: true
}

export const NO_RECORDS: RecordsState = {
  open: null,
  order: null,
  pending: null,
  billed: null,
  agents: [],
  names: [],
  fixed: null,
  windows: {},
}

/** Calls of one response whose results may still come: more than any has, and a bound for what has no end. */
const MOST_CALLS = 256

/** Requests of sub-agents that run at once. */
const MOST_AGENTS = 64

/** The requests of sub-agents with one more report on one of them, and what was counted of it before. */
export function withAgentUsage(
  agents: RecordsState['agents'],
  id: string,
  usage: Usage,
): { readonly agents: RecordsState['agents']; readonly now: Usage; readonly before: Usage | null } {
  const before = agents.find((one) => one.id === id)?.usage ?? null
  const now = larger(before, usage) ?? usage
  const others = agents.filter((one) => one.id !== id)
  return { agents: [...others, { id, usage: now }].slice(-MOST_AGENTS), now, before }
}

/** The names with those that an answer calls. */
export function withNames(names: RecordsState['names'], { calls }: EntryFact): RecordsState['names'] {
  return calls === undefined ? names : [...names, ...calls].slice(-MOST_CALLS)
}

/** An answer with one more of its records. @param replaced a record of it that counts no more */
export function withNextRecord(
  answer: EntryFact,
  record: EntryFact,
  replaced: EntryFact | null = null,
): EntryFact {
  const kept = answer.calls?.filter(({ id }) => !replaced?.calls?.some((call) => call.id === id)) ?? []
  const calls = [...kept, ...(record.calls ?? [])].slice(-MOST_CALLS)
  const before = replaced === null ? (answer.units ?? {}) : less(answer.units ?? {}, replaced.units ?? {})
  return {
    ...answer,
    units: sum(before, record.units ?? {}),
    ...(calls.length > 0 && { calls }),
    ...(record.stopReason !== undefined && { stopReason: record.stopReason }),
    usage: larger(answer.usage ?? null, record.usage ?? null),
  }
}

/**
 * Of two reports on one call the one that says more: the first record of a response may carry none, or the output as it
 * was when it began.
 */
function larger(first: Usage | null, second: Usage | null): Usage | null {
  if (first === null || second === null) return second ?? first
  const { input, cacheRead, cacheWrite, output } = second
  const isMore =
    input + cacheRead + cacheWrite > first.input + first.cacheRead + first.cacheWrite || output > first.output
  const usage = isMore ? second : first
  return second.outputUnsure ? { ...usage, outputUnsure: true } : usage
}

function sum(a: EntryUnits, b: EntryUnits): EntryUnits {
  const units: { -readonly [C in keyof EntryUnits]: number } = { ...a }
  for (const key in b) {
    const category = key as keyof EntryUnits
    units[category] = (units[category] ?? 0) + (b[category] ?? 0)
  }
  return units
}

function less(a: EntryUnits, b: EntryUnits): EntryUnits {
  const units: { -readonly [C in keyof EntryUnits]: number } = { ...a }
  for (const key in b) {
    const category = key as keyof EntryUnits
    units[category] = Math.max(0, (units[category] ?? 0) - (b[category] ?? 0))
  }
  return units
}

/** What a context holds when one of its answers is known better. */
export function withAnswer(sums: ContextSums, before: EntryFact, now: EntryFact): ContextSums {
  const old = addToSums(EMPTY_SUMS, before)
  const fresh = addToSums(EMPTY_SUMS, now)
  const change = (list: readonly number[], was: readonly number[], is: readonly number[]) =>
    list.map((amount, i) => Math.max(0, amount - (was[i] ?? 0) + (is[i] ?? 0)))
  return {
    ...sums,
    units: change(sums.units, old.units, fresh.units),
    known: change(sums.known, old.known, fresh.known),
  }
}
