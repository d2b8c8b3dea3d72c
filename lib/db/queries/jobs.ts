import * as z from 'zod'
import { type JobRow, type Json, UNFINISHED } from '../../engine/jobs/job-ports'
import type { Database } from '../client'
import type { SqlResult } from '../connection'
import { figureOf, json, rowsOf } from '../rows'

const DATA: z.ZodType<Json> = z.json()
const JOB = z.object({
  id: z.string(),
  kind: z.string(),
  title: z.string(),
  lane: z.string(),
  sessionId: z.string().nullable(),
  storeId: z.string().nullable(),
  paramsJson: json(DATA),
  process: z.string(),
  createdAt: z.number(),
  state: z.enum(['waiting', 'running', 'done', 'refused', 'failed', 'cancelled', 'interrupted']),
  stepsDone: z.number(),
  stepsOf: z.number().nullable(),
  doing: z.string(),
  receipt: z.string().nullable(),
  message: z.string().nullable(),
  resultJson: json(DATA).nullable(),
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
})
const SELECT = `SELECT ${Object.keys(JOB.shape)
  .map((name) => `"${name}"`)
  .join(', ')} FROM "Job"`
const IS_UNFINISHED = `"state" IN (${UNFINISHED.map((state) => `'${state}'`).join(', ')})`

type Connected = Pick<Database, 'connection'>

/** Jobs that have not ended, oldest first: a look-up on an index, made for every page. */
export function findUnfinishedJobs({ connection }: Connected): JobRow[] {
  return jobsOf(connection.run(`${SELECT} WHERE ${IS_UNFINISHED} ORDER BY "id"`))
}

/** Jobs that have ended, newest first: `limit` of them after the first `skip`, and how many there are. */
export function findEndedJobs(
  { connection }: Connected,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): { readonly total: number; readonly jobs: JobRow[] } {
  const total = figureOf(connection.run(`SELECT COUNT(*) AS n FROM "Job" WHERE NOT ${IS_UNFINISHED}`))
  const sql = `${SELECT} WHERE NOT ${IS_UNFINISHED} ORDER BY "id" DESC LIMIT ? OFFSET ?`
  return { total, jobs: jobsOf(connection.run(sql, [limit, skip])) }
}

/** null when there is no such job (any more). */
export function findJob({ connection }: Connected, id: string): JobRow | null {
  return jobsOf(connection.run(`${SELECT} WHERE "id" = ?`, [id]))[0] ?? null
}

/** Whether a job is under way, or has ended since `since` (milliseconds). */
export function hasFreshJobs({ connection }: Connected, since: number): boolean {
  const sql = `SELECT 1 FROM "Job" WHERE ${IS_UNFINISHED} OR "endedAt" > ? LIMIT 1`
  return connection.run(sql, [since]).rows.length > 0
}

function jobsOf(answer: SqlResult): JobRow[] {
  return rowsOf(JOB, answer).map(({ paramsJson, stepsDone, stepsOf, resultJson, ...job }) => ({
    ...job,
    params: paramsJson,
    done: stepsDone,
    of: stepsOf,
    result: resultJson,
  }))
}
