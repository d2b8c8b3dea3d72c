import type { InspectedCompaction } from '../compaction/inspect'
import type { Frame } from '../tokens/frame'
import type { OwnPrices } from '../tokens/own-prices'
import { costOf } from '../tokens/prices'
import type { EntryFact, Usage } from '../transcript/entry'
import type { FoldBoundary, SessionTotals } from '../transcript/fold/fold-step'
import type { ClaimedRequest } from '../transcript/request-claims'
import type { Milliseconds, Tokens } from '../units/units'
import { addDays, type DayUsage, type ReportUsage } from './day-usage'
import { type HabitShare, habitsOf } from './habits'
import { addMoney, moneyOfCall, NO_MONEY, NO_PRICE, type ReportMoney } from './report-money'

/** One transcript as it was read, and what its calls are held against. */
export type ReportInput = {
  readonly facts: readonly EntryFact[]
  readonly frames: readonly Frame[]
  readonly boundaries: readonly FoldBoundary[]
  readonly totals: SessionTotals
  readonly compactions: readonly InspectedCompaction[]
  /** The line at which the runtime of a call acts, in tokens; null: it has none, or the window is not known. */
  readonly lineOf: (frame: Frame) => Tokens | null
  readonly prices: OwnPrices
  /** Calls that are counted in another transcript, which holds them as well. */
  readonly repeated: readonly ClaimedRequest[]
}

/** How full windows were. */
export type ReportFills = {
  /** Prompt by window for each call whose both are known. */
  readonly shares: readonly number[]
  /** Calls whose prompt or window is not known. */
  readonly unknown: number
  /** Calls whose prompt was at or above the line of their runtime. */
  readonly overLine: number
}

/** Compactions and resets, what they freed, and the prompts of the first calls behind them. */
export type ReportCompactions = {
  readonly compactions: number
  readonly resets: number
  /** Tokens of prompts before minus after, where both are known. */
  readonly freed: Tokens
  readonly freedUnknown: number
  /** The first calls behind compactions, which pay for their prompt anew. */
  readonly nextCalls: number
  readonly nextMoney: ReportMoney
}

/** What one transcript adds to a report. */
export type SessionShare = {
  readonly usage: ReportUsage
  readonly money: ReportMoney
  readonly fills: ReportFills
  readonly compactions: ReportCompactions
  readonly habits: readonly HabitShare[]
  /** In their order; requests without a time are on none. */
  readonly days: readonly DayUsage[]
}

/**
 * Sums up what of a transcript lies in the period.
 * @param from the beginning of a UTC day; null: everything, entries without a time as well
 */
export function sessionShare(session: ReportInput, from: Milliseconds | null): SessionShare {
  const frames = session.frames.filter(({ at }) => isInPeriod(at, from))
  const compactions = session.compactions.filter(({ at }) => isInPeriod(at, from))
  const repeated = session.repeated.filter(({ at }) => isInPeriod(at, from))
  return {
    usage: withoutRepeated(usageOf(session.totals, from), repeated),
    days: usageByDay(session.totals, from, repeated),
    money: moneyOf(session, frames, from, repeated),
    fills: fillsOf(frames, session.lineOf),
    compactions: compactionsOf(session, compactions),
    habits: habitsOf(session, frames, compactions, from),
  }
}

/** Whether a moment lies in the period; one that is not known only does where everything counts. */
export function isInPeriod(at: Milliseconds | null, from: Milliseconds | null): boolean {
  return from === null || (at !== null && at >= from)
}

/** Days are those that the Overview sums up. */
function daysOf({ days }: SessionTotals, from: Milliseconds) {
  const first = new Date(from).toISOString().slice(0, 10)
  return days.filter(({ day }) => day >= first)
}

/** The fold has a day once for each model; calls that are counted elsewhere are taken out. */
function usageByDay(
  totals: SessionTotals,
  from: Milliseconds | null,
  repeated: readonly ClaimedRequest[],
): DayUsage[] {
  const days = from === null ? totals.days : daysOf(totals, from)
  const used = days.map(
    ({ day, calls, input, output, cacheRead, cacheWrite }): DayUsage => ({
      ...{ day, calls, input, output, cacheRead, cacheWrite },
    }),
  )
  return addDays([], used).map(({ day, ...usage }) => {
    const then = repeated.filter(({ at }) => at !== null && new Date(at).toISOString().startsWith(day))
    return { day, ...withoutRepeated(usage, then) }
  })
}

function usageOf(totals: SessionTotals, from: Milliseconds | null): ReportUsage {
  const parts = from === null ? [totals] : daysOf(totals, from)
  const sum = (of: (part: ReportUsage) => number) => parts.reduce((all, part) => all + of(part), 0)
  return {
    calls: sum(({ calls }) => calls),
    input: sum(({ input }) => input),
    output: sum(({ output }) => output),
    cacheRead: sum(({ cacheRead }) => cacheRead),
    cacheWrite: sum(({ cacheWrite }) => cacheWrite),
  }
}

/** Sums without calls that are counted elsewhere. */
export function withoutRepeated(sums: ReportUsage, repeated: readonly ClaimedRequest[]): ReportUsage {
  const sum = (of: (usage: Usage) => number) =>
    repeated.reduce((all, { usage }) => all + (usage === null ? 0 : of(usage)), 0)
  return {
    calls: sums.calls - repeated.length,
    input: sums.input - sum(({ input }) => input),
    output: sums.output - sum(({ output }) => output),
    cacheRead: sums.cacheRead - sum(({ cacheRead }) => cacheRead),
    cacheWrite: sums.cacheWrite - sum(({ cacheWrite }) => cacheWrite),
  }
}

/** What was recorded is summed by the fold; what was not is priced here, call by call. */
function moneyOf(
  { facts, totals, prices }: ReportInput,
  frames: readonly Frame[],
  from: Milliseconds | null,
  repeated: readonly ClaimedRequest[],
): ReportMoney {
  const parts = from === null ? [totals] : daysOf(totals, from)
  const unrecorded = parts.reduce((all, { costUnknownCalls }) => all + costUnknownCalls, 0)
  const recorded = parts.reduce<number | null>(
    (all, { costUsd }) => (costUsd === null ? all : (all ?? 0) + costUsd),
    null,
  )
  const elsewhere = new Set(repeated.map(({ seq }) => seq))
  let listed = NO_MONEY
  let answered = repeated.length
  for (const { seq, provider, model, at, stopReason } of frames) {
    if (elsewhere.has(seq)) continue
    const usage = facts[seq]?.usage
    const cost = usage == null ? NO_PRICE : costOf(usage, { provider, model, at }, prices)
    if (cost.recorded.value !== null || cost.listed.value === null) continue
    listed = addMoney(listed, moneyOfCall(cost))
    // Those that failed are in no count of calls without a cost.
    if (stopReason !== 'error' && stopReason !== 'aborted') answered += 1
  }
  const { besides, startedAt } = totals
  // Of requests beside the calls only the sum is known: it counts where all of the session does.
  const isWhole = from === null || (startedAt !== null && startedAt >= from)
  if (isWhole && besides.listUsd !== null) {
    const priced = besides.calls - besides.unpriced
    listed = addMoney(listed, { ...NO_MONEY, listUsd: besides.listUsd, listCalls: priced })
    answered += priced
  }
  return { ...listed, recordedUsd: recorded, unpricedCalls: Math.max(0, unrecorded - answered) }
}

function fillsOf(frames: readonly Frame[], lineOf: ReportInput['lineOf']): ReportFills {
  const shares: number[] = []
  let overLine = 0
  for (const frame of frames) {
    const { value } = frame.total
    const line = lineOf(frame)
    if (value !== null && line !== null && value >= line) overLine += 1
    // A window that is assumed is no basis for a share.
    if (value !== null && frame.window.source !== 'default' && frame.window.tokens > 0)
      shares.push(value / frame.window.tokens)
  }
  return { shares, unknown: frames.length - shares.length, overLine }
}

function compactionsOf(
  { facts, frames, prices }: ReportInput,
  found: readonly InspectedCompaction[],
): ReportCompactions {
  let [freed, freedUnknown, nextCalls] = [0, 0, 0]
  let nextMoney = NO_MONEY
  const real = found.filter(({ kind }) => kind !== 'reset')
  for (const { promptBefore, promptAfter, afterCall } of real) {
    if (promptBefore === null || promptAfter === null) freedUnknown += 1
    else freed += promptBefore - promptAfter
    const next = frames[afterCall]
    if (next === undefined) continue
    const usage = facts[next.seq]?.usage
    nextCalls += 1
    nextMoney = addMoney(nextMoney, moneyOfCall(usage == null ? NO_PRICE : costOf(usage, next, prices)))
  }
  return {
    compactions: real.length,
    resets: found.length - real.length,
    freed,
    freedUnknown,
    nextCalls,
    nextMoney,
  }
}
