import { CATEGORIES } from '../tokens/category'
import type { Frame } from '../tokens/frame'
import { costOf } from '../tokens/prices'
import type { EntryFact } from './entry'

/** How many calls the trend of a session remembers. */
export const TREND_CALLS = 32

/** Sums of one UTC day and model. Tokens; `categories` in the order of CATEGORIES. */
export type DayTotals = {
  readonly day: string
  readonly model: string
  readonly calls: number
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly costUsd: number | null
  readonly costUnknownCalls: number
  readonly categories: readonly number[]
}

/** Counters over all entries of a transcript so far. Plain JSON, part of the fold's snapshot. */
export type FoldTotals = {
  readonly version: number
  readonly sessionId: string | null
  readonly cwd: string | null
  readonly name: string | null
  readonly entries: number
  readonly unreadable: number
  readonly unknownTypes: number
  readonly calls: number
  readonly turns: number
  readonly compactions: number
  readonly provider: string | null
  readonly model: string | null
  /** Lifetime sums of what providers reported, in tokens. Never to be shown as fill. */
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly costUsd: number | null
  readonly costUnknownCalls: number
  readonly startedAt: number | null
  readonly updatedAt: number | null
  readonly trend: readonly (number | null)[]
  readonly days: readonly DayTotals[]
}

export const NO_TOTALS: FoldTotals = {
  version: 1,
  sessionId: null,
  cwd: null,
  name: null,
  entries: 0,
  unreadable: 0,
  unknownTypes: 0,
  calls: 0,
  turns: 0,
  compactions: 0,
  provider: null,
  model: null,
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  costUsd: null,
  costUnknownCalls: 0,
  startedAt: null,
  updatedAt: null,
  trend: [],
  days: [],
}

/** Counts one entry. Calls are counted by `countCall`, with their frame. */
export function countEntry(totals: FoldTotals, fact: EntryFact): FoldTotals {
  const next: { -readonly [K in keyof FoldTotals]: FoldTotals[K] } = {
    ...totals,
    entries: totals.entries + 1,
  }
  if (fact.at !== null) {
    next.startedAt = Math.min(next.startedAt ?? fact.at, fact.at)
    next.updatedAt = Math.max(next.updatedAt ?? fact.at, fact.at)
  }
  switch (fact.type) {
    case 'session':
      // A second header in a file is counted and changes nothing.
      if (next.sessionId !== null) break
      next.version = fact.header?.version ?? 1
      next.sessionId = fact.header?.sessionId || null
      next.cwd = fact.header?.cwd ?? null
      next.provider = fact.provider ?? null
      next.model = fact.model ?? null
      break
    case 'unreadable':
      next.unreadable += 1
      break
    case 'unknown':
      next.unknownTypes += 1
      break
    case 'compaction':
      next.compactions += 1
      break
    case 'model_change':
      next.provider = fact.provider ?? next.provider
      next.model = fact.model ?? next.model
      break
    case 'session_info':
      next.name = fact.preview ?? null
      break
    case 'message':
      if (fact.role !== 'user') break
      next.turns += 1
      next.name ??= fact.preview ?? null
      break
    default:
      break
  }
  return next
}

/** Counts one call. A repeated record of a request that was counted already adds no usage and no cost. */
export function countCall(
  totals: FoldTotals,
  answer: EntryFact,
  frame: Frame,
  repeated: boolean,
): FoldTotals {
  const usage = repeated ? null : (answer.usage ?? null)
  const cost = usage === null ? null : costOf(usage, answer.model ?? null)
  const costUsd = cost?.value ?? null
  const unknown = !repeated && costUsd === null && wasBilled(answer) ? 1 : 0
  const added = {
    calls: 1,
    input: usage?.input ?? 0,
    output: usage?.output ?? 0,
    cacheRead: usage?.cacheRead ?? 0,
    cacheWrite: usage?.cacheWrite ?? 0,
    costUsd,
    costUnknownCalls: unknown,
  }
  return {
    ...totals,
    ...addAmounts(totals, added),
    provider: answer.provider ?? totals.provider,
    model: answer.model ?? totals.model,
    trend: [...totals.trend, frame.total.value].slice(-TREND_CALLS),
    days: addToDay(totals.days, answer, frame, added, usage !== null),
  }
}

type Amounts = Pick<
  DayTotals,
  'calls' | 'input' | 'output' | 'cacheRead' | 'cacheWrite' | 'costUsd' | 'costUnknownCalls'
>

function addAmounts(a: Amounts, b: Amounts): Amounts {
  return {
    calls: a.calls + b.calls,
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    costUsd: a.costUsd === null ? b.costUsd : a.costUsd + (b.costUsd ?? 0),
    costUnknownCalls: a.costUnknownCalls + b.costUnknownCalls,
  }
}

/** A call that failed before the model answered was not billed, as far as anybody can tell. */
function wasBilled(answer: EntryFact): boolean {
  return answer.stopReason !== 'error' && answer.stopReason !== 'aborted'
}

function addToDay(
  days: readonly DayTotals[],
  answer: EntryFact,
  frame: Frame,
  added: Amounts,
  billed: boolean,
): readonly DayTotals[] {
  if (answer.at === null) return days
  const day = new Date(answer.at).toISOString().slice(0, 10)
  const model = answer.model ?? 'unknown'
  const index = days.findLastIndex((d) => d.day === day && d.model === model)
  const before = days[index]
  const sent = CATEGORIES.map((category) => (billed ? (frame.categories[category] ?? 0) : 0))
  const after: DayTotals =
    before === undefined
      ? { day, model, ...added, categories: sent }
      : {
          day,
          model,
          ...addAmounts(before, added),
          categories: sent.map((tokens, i) => tokens + (before.categories[i] ?? 0)),
        }
  return index < 0 ? [...days, after] : days.with(index, after)
}
