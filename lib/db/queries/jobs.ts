import { type JobRow, type JobState, UNFINISHED } from '../../engine/job-ports'
import type { Database } from '../client'
import type { SqlValue } from '../local-connection'

const NAMES = [
  'id',
  'kind',
  'title',
  'lane',
  'sessionId',
  'storeId',
  'paramsJson',
  'process',
  'createdAt',
  'state',
  'stepsDone',
  'stepsOf',
  'doing',
  'receipt',
  'message',
  'resultJson',
  'startedAt',
  'endedAt',
]
const SELECT = `SELECT ${NAMES.map((name) => `"${name}"`).join(', ')} FROM "Job"`
const IS_UNFINISHED = `"state" IN (${UNFINISHED.map((state) => `'${state}'`).join(', ')})`

type Connected = Pick<Database, 'connection'>

/** Jobs that have not ended, oldest first: a look-up on an index, made for every page. */
export function findUnfinishedJobs({ connection }: Connected): JobRow[] {
  return connection.run(`${SELECT} WHERE ${IS_UNFINISHED} ORDER BY "id"`).rows.map(toJob)
}

/** Jobs that have ended, newest first: `limit` of them after the first `skip`, and how many there are. */
export function findEndedJobs(
  { connection }: Connected,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): { readonly total: number; readonly jobs: JobRow[] } {
  const [count] = connection.run(`SELECT COUNT(*) FROM "Job" WHERE NOT ${IS_UNFINISHED}`).rows
  const sql = `${SELECT} WHERE NOT ${IS_UNFINISHED} ORDER BY "id" DESC LIMIT ? OFFSET ?`
  return { total: Number(count?.[0] ?? 0), jobs: connection.run(sql, [limit, skip]).rows.map(toJob) }
}

/** null when there is no such job (any more). */
export function findJob({ connection }: Connected, id: string): JobRow | null {
  const [row] = connection.run(`${SELECT} WHERE "id" = ?`, [id]).rows
  return row === undefined ? null : toJob(row)
}

/** Whether a job is under way, or has ended since `since` (milliseconds). */
export function hasFreshJobs({ connection }: Connected, since: number): boolean {
  const [row] = connection.run(`SELECT 1 FROM "Job" WHERE ${IS_UNFINISHED} OR "endedAt" > ? LIMIT 1`, [
    since,
  ]).rows
  return row !== undefined
}

function toJob(row: readonly SqlValue[]): JobRow {
  const of = (name: string) => row[NAMES.indexOf(name)] ?? null
  const text = (name: string) => String(of(name) ?? '')
  const textOrNull = (name: string) => (of(name) === null ? null : text(name))
  const numberOrNull = (name: string) => (of(name) === null ? null : Number(of(name)))
  // Written by us (commands/jobs.ts).
  return {
    id: text('id'),
    kind: text('kind'),
    title: text('title'),
    lane: text('lane'),
    sessionId: textOrNull('sessionId'),
    storeId: textOrNull('storeId'),
    params: JSON.parse(text('paramsJson')) as JobRow['params'],
    process: text('process'),
    state: text('state') as JobState,
    done: Number(of('stepsDone')),
    of: numberOrNull('stepsOf'),
    doing: text('doing'),
    receipt: textOrNull('receipt'),
    message: textOrNull('message'),
    result: of('resultJson') === null ? null : (JSON.parse(text('resultJson')) as JobRow['result']),
    createdAt: Number(of('createdAt')),
    startedAt: numberOrNull('startedAt'),
    endedAt: numberOrNull('endedAt'),
  }
}
