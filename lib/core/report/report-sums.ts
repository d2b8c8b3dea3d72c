import { append } from '../lists/long-lists'
import type { Tokens, Usd } from '../units/units'
import { addDays, type ReportUsage } from './day-usage'
import type { HabitKind, HabitShare } from './habits'
import { addKnown, addMoney, NO_MONEY } from './report-money'
import type { ReportCompactions, ReportFills, SessionShare } from './session-share'

/** Sums over sessions. */
export type ReportSums = Pick<SessionShare, 'usage' | 'money' | 'compactions' | 'days'> & {
  readonly sessions: number
  readonly fills: ReportFills & {
    /** Sessions with a call at or above the line of their runtime. */
    readonly sessionsOverLine: number
  }
}

/** A habit over all sessions; `Session` is whatever names one. */
export type SummedHabit<Session> = Omit<HabitShare, 'tools' | 'worstTokens'> & {
  readonly sessions: number
  /** The session that adds the most to it; `worstCall` is a call of that one. */
  readonly worst: Session
  /** Largest first. */
  readonly tools: readonly (readonly [name: string, tokens: Tokens])[]
}

const NO_USAGE: ReportUsage = { calls: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
const NO_COMPACTIONS: ReportCompactions = {
  compactions: 0,
  resets: 0,
  freed: 0,
  freedUnknown: 0,
  nextCalls: 0,
  nextMoney: NO_MONEY,
}

/** Adds up what sessions were summed up to. A session without a call in the period is none of the report. */
export function sumReport(shares: readonly SessionShare[]): ReportSums {
  const all: number[] = []
  let [sessions, unknown, overLine, sessionsOverLine] = [0, 0, 0, 0]
  let usage = NO_USAGE
  let money = NO_MONEY
  let compactions = NO_COMPACTIONS
  let days: ReportSums['days'] = []
  for (const share of shares) {
    sessions += 1
    usage = addUsage(usage, share.usage)
    money = addMoney(money, share.money)
    compactions = addCompactions(compactions, share.compactions)
    days = addDays(days, share.days)
    append(all, share.fills.shares)
    unknown += share.fills.unknown
    overLine += share.fills.overLine
    if (share.fills.overLine > 0) sessionsOverLine += 1
  }
  return {
    sessions,
    usage,
    days,
    money,
    compactions,
    fills: { shares: all, unknown, overLine, sessionsOverLine },
  }
}

function addUsage(a: ReportUsage, b: ReportUsage): ReportUsage {
  return {
    calls: a.calls + b.calls,
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
  }
}

function addCompactions(a: ReportCompactions, b: ReportCompactions): ReportCompactions {
  return {
    compactions: a.compactions + b.compactions,
    resets: a.resets + b.resets,
    freed: a.freed + b.freed,
    freedUnknown: a.freedUnknown + b.freedUnknown,
    nextCalls: a.nextCalls + b.nextCalls,
    nextMoney: addMoney(a.nextMoney, b.nextMoney),
  }
}

/** All habits, the dearest first: by price, and where none has one by tokens. */
export function sumHabits<Session>(
  found: readonly { readonly session: Session; readonly habits: readonly HabitShare[] }[],
): SummedHabit<Session>[] {
  const kinds = new Map<HabitKind, { session: Session; habit: HabitShare }[]>()
  for (const { session, habits } of found)
    for (const habit of habits) {
      const known = kinds.get(habit.kind)
      if (known === undefined) kinds.set(habit.kind, [{ session, habit }])
      else known.push({ session, habit })
    }
  return [...kinds.values()]
    .flatMap((of) => sumOne(of))
    .sort((a, b) => (b.usd ?? -1) - (a.usd ?? -1) || b.tokens - a.tokens)
}

function sumOne<Session>(of: readonly { session: Session; habit: HabitShare }[]): SummedHabit<Session>[] {
  const worst = of.reduce<(typeof of)[number] | null>(
    (most, one) => (most === null || isDearer(one.habit, most.habit) ? one : most),
    null,
  )
  if (worst === null) return []
  const tools = new Map<string, number>()
  for (const { habit } of of)
    for (const [name, tokens] of habit.tools) tools.set(name, (tools.get(name) ?? 0) + tokens)
  const sum = (one: (habit: HabitShare) => number) => of.reduce((all, { habit }) => all + one(habit), 0)
  return [
    {
      kind: worst.habit.kind,
      sessions: of.length,
      times: sum(({ times }) => times),
      tokens: sum(({ tokens }) => tokens),
      usd: of.reduce<Usd | null>((all, { habit }) => addKnown(all, habit.usd), null),
      unpriced: sum(({ unpriced }) => unpriced),
      worst: worst.session,
      worstCall: worst.habit.worstCall,
      tools: [...tools].sort((a, b) => b[1] - a[1]),
    },
  ]
}

function isDearer(a: HabitShare, b: HabitShare): boolean {
  return a.usd !== null && b.usd !== null ? a.usd > b.usd : a.tokens > b.tokens
}

/** The middle of the values; null when there are none. */
export function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = Float64Array.from(values).sort()
  const middle = sorted.length >> 1
  const high = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? 0) + high) / 2
}
