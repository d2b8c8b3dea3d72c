import type { JobRow, JobRows } from '../../engine/jobs/job-ports'
import type { Connection } from '../connection'
import { insertInto } from '../insert-into'
import { findUnfinishedJobs } from '../queries/jobs'
import { figureOf } from '../rows'
import type { SqlValue } from '../sql-value'

const FIXED = 'id kind title lane sessionId storeId paramsJson process createdAt'
const CHANGING = 'state stepsDone stepsOf doing receipt message resultJson startedAt endedAt revision'

const PUT = `${insertInto('Job', `${FIXED} ${CHANGING}`)} ON CONFLICT ("id") DO UPDATE SET ${CHANGING.split(
  ' ',
)
  .map((name) => `"${name}" = excluded."${name}"`)
  .join(', ')}`

/** Jobs that have ended are kept up to this number, the newest. */
const ENDED_KEPT = 500

const FORGET = `DELETE FROM "Job" WHERE "endedAt" IS NOT NULL AND "id" <= (
  SELECT "id" FROM "Job" WHERE "endedAt" IS NOT NULL ORDER BY "id" DESC LIMIT 1 OFFSET ?)`

/** The table of jobs. */
export function jobRows(connection: Connection): JobRows {
  return {
    put: (job) => putJob(connection, job),
    unfinished: async () => findUnfinishedJobs({ connection }),
  }
}

function putJob(connection: Connection, job: JobRow): Promise<void> {
  return connection.write(() => {
    const newest = figureOf(connection.run('SELECT MAX("revision") AS n FROM "Job"'))
    connection.run(PUT, valuesOf(job, newest + 1))
    if (job.endedAt !== null) connection.run(FORGET, [ENDED_KEPT])
  })
}

function valuesOf(job: JobRow, revision: number): SqlValue[] {
  const { id, kind, title, lane, sessionId, storeId, process, createdAt } = job
  const fixed = [id, kind, title, lane, sessionId, storeId, JSON.stringify(job.params), process, createdAt]
  const { state, done, of, doing, receipt, message, startedAt, endedAt } = job
  const result = job.result === null ? null : JSON.stringify(job.result)
  return [...fixed, state, done, of, doing, receipt, message, result, startedAt, endedAt, revision]
}
