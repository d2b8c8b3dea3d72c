import 'server-only'
import type { Database } from '../db/client'
import { findDaySpan, sumDays } from '../db/queries/day-sums'
import { findLatestSessions, findNearestSessions } from '../db/queries/nearest-sessions'
import {
  countCompactions,
  findFailedCalls,
  findRecentCompactions,
  findUnreadableLines,
} from '../db/queries/recent-events'
import { findStoreSummaries } from '../db/queries/store-summaries'
import { dayOf, daysBefore } from '../view/days'
import { type OverviewView, overviewView } from '../view/overview'
import { demoMarker } from './demo'
import { untilChange } from './until-change'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** A session counts as active when it changed within this many days. */
const ACTIVE_DAYS = 14
const NEAREST_SHOWN = 12
const EVENTS_READ = 12

/**
 * Everything on the Overview. The period ends today, or on the last day with a call when there has been none lately.
 * @param period length of the charts in days
 * @param now milliseconds since the epoch
 */
export function getOverview({ period, now }: { period: number; now: number }): Promise<OverviewView> {
  const minute = Math.floor(now / MINUTE_MS)
  return untilChange(`overview ${period} ${minute}`, (database) => readOverview(database, period, now))
}

async function readOverview(database: Database, period: number, now: number): Promise<OverviewView> {
  const today = dayOf(now)
  const span = await findDaySpan(database)
  const to = lastDayOf({ period, today, last: span?.last ?? null })
  const from = daysBefore(to, period - 1)
  const todayStart = Date.parse(today)
  const [nearest, days, todayDays, compactionsToday, compactions, failedCalls, unreadable, stores] =
    await Promise.all([
      readNearest(database, now),
      sumDays(database, { from, to }),
      sumDays(database, { from: today, to: today }),
      countCompactions(database, { from: todayStart, to: todayStart + DAY_MS }),
      findRecentCompactions(database, EVENTS_READ),
      findFailedCalls(database, EVENTS_READ),
      findUnreadableLines(database, EVENTS_READ),
      findStoreSummaries(database),
    ])
  return overviewView({
    now,
    period,
    from,
    to,
    nearest,
    days,
    today: todayDays,
    compactionsToday,
    lastDay: span?.last ?? null,
    happenings: { compactions, failedCalls, unreadable },
    stores,
  })
}

/** A store that has been quiet for longer than the period would show nothing but an empty chart. */
function lastDayOf({ period, today, last }: { period: number; today: string; last: string | null }): string {
  return last !== null && last < daysBefore(today, period - 1) ? last : today
}

async function readNearest(database: Database, now: number) {
  const since = now - ACTIVE_DAYS * DAY_MS
  const nearest = await findNearestSessions(database, { since, limit: NEAREST_SHOWN })
  const active = nearest.total > 0
  const isMarked = await demoMarker()
  const sessions = active ? nearest.sessions : await findLatestSessions(database, NEAREST_SHOWN)
  return {
    sessions: sessions.map((session) => ({ ...session, demo: isMarked(session.storeRoot) })),
    total: active ? nearest.total : sessions.length,
    active,
    activeDays: ACTIVE_DAYS,
  }
}
