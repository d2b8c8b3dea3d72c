import type { DaySum } from '../../core/tokens/day-sum'
import type { ToolSum } from '../../core/transcript/fold/tool-sum'
import type { Milliseconds } from '../../core/units/units'
import type { LeadingFindings } from '../findings/leading-findings'
import { type SessionNames, sessionPlace, sessionTitle } from '../session/session-title'
import type { FillFacts } from '../session-list/fill'
import { type StoreFault, storeFaults } from '../stores/store-faults'
import { shownOrNull } from '../text/shown-text'
import { type CompactionDayFacts, type CompactionDaysView, compactionDays } from './compaction-days'
import {
  type DaysView,
  dayOf,
  daysView,
  type ModelUsage,
  modelUsage,
  type UsageSums,
  usageSums,
} from './days'
import { type Occurrence, type OccurrenceFacts, occurrences } from './occurrences'
import { type ToolRow, toolRows } from './tool-rows'

/** A session as the list of the fullest shows it; its meter is made from `fill` where it is drawn. */
export type NearestRow = {
  readonly id: string
  readonly title: string
  readonly place: string
  /** The runtime whose session it is. */
  readonly kind: string
  readonly model: string | null
  /** Made up by the demo's generator. */
  readonly demo: boolean
  readonly fill: FillFacts
  readonly updatedAt: Milliseconds | null
}

export type TodayView = {
  /** The UTC day. */
  readonly day: string
  readonly usage: UsageSums
  readonly compactions: number
  /** The last day with a call, when today has none. */
  readonly lastDay: string | null
}

export type StoreHealth = {
  readonly id: string
  readonly label: string
  readonly kind: string
  readonly era: string
  readonly root: string
  readonly state: string
  readonly problem: string | null
  /** Why it could not be judged as a whole, or not all of it. */
  readonly findingsProblem: string | null
  readonly sessions: number
  readonly unreadable: number
  readonly lastReadAt: Milliseconds | null
}

/** Everything on the Overview; plain data. */
export type OverviewView = {
  readonly nearest: {
    readonly rows: readonly NearestRow[]
    readonly total: number
    /** False when none was active lately and the newest are shown instead. */
    readonly active: boolean
    readonly activeDays: number
  }
  readonly today: TodayView
  readonly period: number
  readonly days: DaysView
  readonly compactions: CompactionDaysView
  readonly models: readonly ModelUsage[]
  readonly tools: readonly ToolRow[]
  readonly totalUsage: UsageSums
  readonly happenings: readonly Occurrence[]
  readonly stores: readonly StoreHealth[]
  /** Stores that cannot be read or judged. */
  readonly faults: readonly StoreFault[]
  /** Transcripts that their runtime deletes within a week while the archive is off. */
  readonly unkept: number
  /** What is wrong or dear, the worst causes. */
  readonly findings: LeadingFindings
}

/** Lengths of the period that the charts can show, in days. */
export const PERIODS = [7, 30, 90] as const
export const DEFAULT_PERIOD = 30

/** A period from the address; anything else is the default. */
export function parsePeriod(value: string | undefined): number {
  return PERIODS.find((period) => String(period) === value) ?? DEFAULT_PERIOD
}

type SessionFacts = FillFacts &
  SessionNames & {
    readonly id: string
    readonly storeKind: string
    readonly model: string | null
    readonly demo: boolean
    readonly updatedAt: Milliseconds | null
  }

export type OverviewFacts = {
  readonly now: Milliseconds
  readonly period: number
  readonly from: string
  readonly to: string
  readonly nearest: {
    readonly sessions: readonly SessionFacts[]
    readonly total: number
    readonly active: boolean
    readonly activeDays: number
  }
  readonly days: readonly DaySum[]
  readonly today: readonly DaySum[]
  readonly compactionsToday: number
  readonly compactions: readonly CompactionDayFacts[]
  readonly lastDay: string | null
  readonly tools: readonly ToolSum[]
  readonly happenings: OccurrenceFacts
  readonly stores: readonly StoreHealth[]
  /** Transcripts that their runtime deletes within a week while the archive is off. */
  readonly unkept: number
  readonly findings: LeadingFindings
}

const HAPPENINGS_SHOWN = 12

export function overviewView(facts: OverviewFacts): OverviewView {
  const today = dayOf(facts.now)
  const usage = usageSums(facts.today)
  return {
    nearest: {
      rows: facts.nearest.sessions.map(nearestRow),
      total: facts.nearest.total,
      active: facts.nearest.active,
      activeDays: facts.nearest.activeDays,
    },
    today: {
      day: today,
      usage,
      compactions: facts.compactionsToday,
      lastDay: usage.calls === 0 ? facts.lastDay : null,
    },
    period: facts.period,
    days: daysView({ facts: facts.days, from: facts.from, to: facts.to }),
    compactions: compactionDays(facts.compactions, facts),
    models: modelUsage(facts.days),
    tools: toolRows(facts.tools, usageSums(facts.days).sent),
    totalUsage: usageSums(facts.days),
    happenings: occurrences(facts.happenings, HAPPENINGS_SHOWN),
    unkept: facts.unkept,
    findings: facts.findings,
    faults: storeFaults(facts.stores),
    stores: facts.stores.map((store) => {
      const { id, label, kind, era, root, state, problem, findingsProblem } = store
      const { sessions, unreadable, lastReadAt } = store
      return {
        ...{ id, label, kind, era, root, state, problem, findingsProblem },
        sessions,
        unreadable,
        lastReadAt,
      }
    }),
  }
}

function nearestRow(session: SessionFacts): NearestRow {
  const { load, contextTokens, contextBasis, contextErrorPct, trend } = session
  return {
    id: session.id,
    title: sessionTitle(session),
    place: sessionPlace(session),
    kind: session.storeKind,
    model: shownOrNull(session.model),
    demo: session.demo,
    fill: { load, contextTokens, contextBasis, contextErrorPct, trend },
    updatedAt: session.updatedAt,
  }
}
