import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { LogFold, savedBetween } from '../../core/logs/fold-logs'
import type { AnyLogRecord } from '../../core/logs/log-fields'
import { maskValue } from '../../core/logs/mask-value'
import { maskSecrets } from '../../core/redaction/secrets'
import type { Database } from '../../db/client'
import { readLiveStamp } from '../../db/queries/live-stamp'
import { findLogPlaces } from '../../db/queries/log-files'
import {
  ANY_LINE,
  countLogLines,
  findLoggedSessions,
  findLogLines,
  type LogQuestion,
} from '../../db/queries/log-lines'
import { findSessionNames } from '../../db/queries/transcripts-of'
import {
  ACTIVITY_PAGE_ROWS,
  type ActivityParams,
  type ActivityRow,
  type ActivityView,
  activityRow,
  type SavingsDay,
} from '../../view/activity/activity'
import { sessionTitle } from '../../view/session/session-title'
import { shownText } from '../../view/text/shown-text'
import { getDatabase } from '../process/database'
import { remember } from '../process/remember'

/** The charts are drawn from so many of the newest lines. */
const MOST_FOLDED = 100_000
/** Lines that are folded before others get a turn. */
const AT_ONCE = 5_000
const DAY = 86_400_000
const NAMED_BROKEN = 20
const NAMED_SESSIONS = 200

type Folded = Pick<ActivityView, 'summary' | 'savings' | 'foldedOf' | 'thresholds'>

const folds = remember<string, Promise<Folded>>('activity', 8)

/** The logs as charts and rows, as far as they are asked for. */
export async function getActivity(params: ActivityParams): Promise<ActivityView> {
  const database = await getDatabase()
  const question = questionOf(params)
  const { folders, files, broken } = findLogPlaces(database, NAMED_BROKEN)
  const sessions = findLoggedSessions(database, NAMED_SESSIONS)
  const names = await findSessionNames(database, sessions)
  return {
    ...(await foldedOf(database, { ...question, kind: null, text: null })),
    places: folders.map(({ path, found, problem }) => ({
      path,
      found,
      problem,
      kind: 'logs',
      why: 'logs.path of your settings, or beside a store',
    })),
    logged: countLogLines(database, ANY_LINE),
    broken: {
      count: files.reduce((sum, file) => sum + file.broken, 0),
      first: broken.map(({ file, line, problem }) => ({
        place: shownText(`${file}:${line}`),
        problem: shownText(problem),
      })),
    },
    skipped: files.flatMap(({ path, skippedBytes }) =>
      skippedBytes > 0 ? [{ path, bytes: skippedBytes }] : [],
    ),
    unread: [...folders, ...files].flatMap(({ problem }) => (problem === null ? [] : [shownText(problem)])),
    rows: await activityRows(database, question, (params.page - 1) * ACTIVITY_PAGE_ROWS, ACTIVITY_PAGE_ROWS),
    total: countLogLines(database, question),
    sessions: sessions.map((value) => {
      const session = names.get(value)
      return { value, label: session === undefined ? shownText(value) : sessionTitle(session) }
    }),
  }
}

/** Rows of the logs, newest first, as they may be shown. */
export async function activityRows(
  database: Database,
  question: LogQuestion,
  skip: number,
  limit: number,
): Promise<ActivityRow[]> {
  const lines = findLogLines(database, question, { skip, limit })
  const ids = new Set(lines.flatMap(({ record }) => record.sessionId ?? []))
  const names = await findSessionNames(database, [...ids])
  return lines.map(({ record, file, line }) => {
    const session = names.get(record.sessionId ?? '')
    return activityRow(
      record,
      { file, line },
      session === undefined ? null : { id: session.id, title: sessionTitle(session) },
    )
  })
}

export function questionOf({ q, kind, session, since, until }: ActivityParams): LogQuestion {
  return {
    ...ANY_LINE,
    kind: kind === '' ? null : kind,
    session: session === '' ? null : session,
    text: q.trim() === '' ? null : q.trim(),
    since: since === '' ? null : Date.parse(since),
    until: until === '' ? null : Date.parse(until) + DAY - 1,
  }
}

/** Folded once until a log changes. */
function foldedOf(database: Database, question: LogQuestion): Promise<Folded> {
  const stamp = `${database.url} ${readLiveStamp(database).logs}`
  return folds(JSON.stringify(question), stamp, () => fold(database, question))
}

async function fold(database: Database, question: LogQuestion): Promise<Folded> {
  const all = new LogFold()
  const days = new Map<string, { compaction: number; curation: number; unknown: number }>()
  const thresholds = new Set<number>()
  let folded = 0
  while (folded < MOST_FOLDED) {
    const lines = findLogLines(database, question, { skip: folded, limit: AT_ONCE })
    for (const { record } of lines) {
      all.push(record)
      addSavings(days, record)
      if (record.kind === 'drops' && record.thresholdUsed !== null) thresholds.add(record.thresholdUsed)
    }
    folded += lines.length
    if (lines.length < AT_ONCE) break
    await setImmediate()
  }
  const total = folded < MOST_FOLDED ? folded : countLogLines(database, question)
  return {
    summary: coveredSummary(all.summary()),
    savings: savingsDays(days),
    foldedOf: total > folded ? total : null,
    thresholds: [...thresholds],
  }
}

/** Names of reasons and triggers are written by others. */
function coveredSummary<S>(summary: S): S {
  // Only texts are covered in it, each by a text.
  return maskValue('', summary, maskSecrets) as S
}

function addSavings(
  days: Map<string, { compaction: number; curation: number; unknown: number }>,
  record: AnyLogRecord,
): void {
  if (record.at === null || (record.kind !== 'compaction' && record.kind !== 'curation')) return
  const day = new Date(record.at).toISOString().slice(0, 10)
  const sum = days.get(day) ?? { compaction: 0, curation: 0, unknown: 0 }
  const saved =
    record.kind === 'compaction'
      ? (record.tokenSavings ?? savedBetween(record.tokensBefore, record.tokensAfter))
      : record.tokenSavings
  if (saved === null) sum.unknown += 1
  else sum[record.kind] += saved
  days.set(day, sum)
}

function savingsDays(days: ReadonlyMap<string, Omit<SavingsDay, 'day'>>): SavingsDay[] {
  return [...days].map(([day, sums]) => ({ day, ...sums })).sort((a, b) => (a.day < b.day ? -1 : 1))
}
