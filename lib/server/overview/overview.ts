import 'server-only'
import type { Milliseconds } from '../../core/units/units'
import type { Database } from '../../db/client'
import { findDaySpan, sumDays } from '../../db/queries/day-sums'
import { findHeaviestTools } from '../../db/queries/heaviest-tools'
import { findLatestSessions } from '../../db/queries/latest-sessions'
import { findRecentDrops, newestDrop } from '../../db/queries/recent-drops'
import {
  countCompactions,
  findCompactionsBetween,
  findFailedCalls,
  findRecentCompactions,
  findUnreadableLines,
} from '../../db/queries/recent-events'
import { readSessionPage } from '../../db/queries/session-page'
import { findStoreSummaries } from '../../db/queries/store-summaries'
import { dayOf, daysBefore } from '../../view/overview/days'
import { type OverviewView, overviewView } from '../../view/overview/overview'
import { countUnkept } from '../archive/deletions'
import { leadingStamp, readLeadingFindings } from '../findings/leading-findings'
import { getPoliciesInForce, getRankedRows, type PoliciesInForce } from '../policy/policies-in-force'
import { getDatabase } from '../process/database'
import { untilChange } from '../process/until-change'
import { demoMarker } from '../stores/demo'
import { nearestRows } from './fill-ranking'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** A session counts as active when it changed within this many days. */
const ACTIVE_DAYS = 14
const NEAREST_SHOWN = 12
const TOOLS_SHOWN = 20
/** Of each kind, the newest; those of one session are one line. */
const EVENTS_READ = 120

/**
 * Everything on the Overview. The period ends today, or on the last day with a call when there has been none lately.
 * @param period length of the charts in days
 * @param now milliseconds since the epoch
 */
export async function getOverview({
  period,
  now,
}: {
  period: number
  now: Milliseconds
}): Promise<OverviewView> {
  const minute = Math.floor(now / MINUTE_MS)
  const policies = await getPoliciesInForce()
  const key = `overview ${period} ${minute} ${policies.revision} ${newestDrop(await getDatabase())} ${leadingStamp()}`
  return untilChange(key, (database) => readOverview(database, policies, period, now))
}

async function readOverview(
  database: Database,
  policies: PoliciesInForce,
  period: number,
  now: Milliseconds,
): Promise<OverviewView> {
  const [nearest, { stores, ...counted }] = await Promise.all([
    readNearest(database, policies, now),
    getCounted(database, period, dayOf(now)),
  ])
  return overviewView({
    ...counted,
    now,
    period,
    nearest,
    stores,
    unkept: await countUnkept(
      stores.filter(({ state }) => state === 'ok'),
      now,
    ),
  })
}

/** What is counted over many sessions: kept for the day, since the minute at which a page is made changes none of it. */
function getCounted(database: Database, period: number, today: string) {
  const key = `overview counts ${period} ${today} ${newestDrop(database)} ${leadingStamp()}`
  return untilChange(key, (current) => readCounted(current, period, today))
}

async function readCounted(database: Database, period: number, today: string) {
  const span = await findDaySpan(database)
  const to = lastDayOf({ period, today, last: span?.last ?? null })
  const from = daysBefore(to, period - 1)
  const todayStart = Date.parse(today)
  const [days, todayDays, compactionsToday, byDay, compactions, failedCalls, unreadable, stores] =
    await Promise.all([
      sumDays(database, { from, to }),
      sumDays(database, { from: today, to: today }),
      countCompactions(database, { from: todayStart, to: todayStart + DAY_MS }),
      findCompactionsBetween(database, { from: Date.parse(from), to: Date.parse(to) + DAY_MS }),
      findRecentCompactions(database, EVENTS_READ),
      findFailedCalls(database, EVENTS_READ),
      findUnreadableLines(database, EVENTS_READ),
      findStoreSummaries(database),
    ])
  return {
    from,
    to,
    days,
    today: todayDays,
    compactionsToday,
    compactions: byDay,
    lastDay: span?.last ?? null,
    tools: findHeaviestTools(database, {
      from: Date.parse(from),
      to: Date.parse(to) + DAY_MS,
      limit: TOOLS_SHOWN,
    }),
    happenings: { compactions, drops: findRecentDrops(database, EVENTS_READ), failedCalls, unreadable },
    stores,
    findings: readLeadingFindings(
      database,
      stores.reduce((sum, { sessions }) => sum + sessions, 0),
    ),
  }
}

/** A store that has been quiet for longer than the period would show nothing but an empty chart. */
function lastDayOf({ period, today, last }: { period: number; today: string; last: string | null }): string {
  return last !== null && last < daysBefore(today, period - 1) ? last : today
}

async function readNearest(database: Database, policies: PoliciesInForce, now: Milliseconds) {
  const since = now - ACTIVE_DAYS * DAY_MS
  const nearest = nearestRows(await getRankedRows(policies), since)
  const active = nearest.length > 0
  const isMarked = await demoMarker()
  const sessions = active
    ? await readRows(database, nearest.slice(0, NEAREST_SHOWN))
    : await findLatestSessions(database, NEAREST_SHOWN)
  return {
    sessions: sessions.map((session) => ({
      ...session,
      demo: isMarked(session.storeRoot),
      load: policies.loads.of(session),
    })),
    total: active ? nearest.length : sessions.length,
    active,
    activeDays: ACTIVE_DAYS,
  }
}

/** Sessions by their rows, in that order. */
async function readRows(database: Database, rows: readonly number[]) {
  const filter = {
    ...{ store: null, kind: null, agent: null, model: null, state: null },
    ...{ rows, fold: false, family: null, agents: null, tool: null },
  }
  const order = { order: 'updated', direction: 'desc' } as const
  const { sessions } = await readSessionPage(database, { filter, ...order, offset: 0, limit: rows.length })
  const byRow = new Map(sessions.map((session) => [session.row, session]))
  return rows.map((row) => byRow.get(row)).filter((session) => session !== undefined)
}
