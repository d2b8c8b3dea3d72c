import 'server-only'
import type { Database } from '../../db/client'
import { findEndedJobs, findJob, findUnfinishedJobs } from '../../db/queries/jobs'
import { findReceipts } from '../../db/queries/receipts'
import type { JobRow } from '../../engine/jobs/job-ports'
import type { DoneAnswer } from '../../view/actions/action-answer'
import type { StartAnswer } from '../../view/jobs/job-answers'
import {
  JOBS_PAGE_SIZE,
  type JobsView,
  type JobView,
  jobPages,
  jobsView,
  jobView,
} from '../../view/jobs/jobs'
import { getDatabase } from '../process/database'
import type { DashboardJobs } from './job-kinds'
import { getJobRunner } from './job-runner'

/** Begins a job and answers its id; the job itself says what came of it. */
export async function startJob<K extends keyof DashboardJobs>(
  kind: K,
  params: DashboardJobs[K],
): Promise<StartAnswer> {
  const runner = await getJobRunner()
  return { kind: 'started', job: (await runner.start(kind, params)).id }
}

/** Begins a job and answers it as it ended. The caller may leave meanwhile; the job goes on. */
export async function runJob<K extends keyof DashboardJobs>(
  kind: K,
  params: DashboardJobs[K],
): Promise<JobRow> {
  const runner = await getJobRunner()
  const begun = await runner.start(kind, params)
  // One that has ended already is only in the table.
  return (await runner.whenEnded(begun.id)) ?? findJob(await getDatabase(), begun.id) ?? begun
}

/** Asks a job to stop, and says what that means. */
export async function cancelJob(id: string): Promise<DoneAnswer> {
  const runner = await getJobRunner()
  switch (await runner.cancel(id)) {
    case 'cancelling':
      return { kind: 'done', message: 'It stops where it can; what has begun to change is completed.' }
    case 'ended':
      return { kind: 'refused', problem: 'It has ended already.' }
    case 'elsewhere':
      return { kind: 'refused', problem: 'Another dashboard runs this job; cancel it there.' }
  }
}

/** Jobs that have not ended, oldest first. A database that cannot be read has none to show: pages say so elsewhere. */
export async function getOpenJobs(): Promise<readonly JobView[]> {
  try {
    await getJobRunner()
    const database = await getDatabase()
    return viewsOf(database, findUnfinishedJobs(database))
  } catch {
    return []
  }
}

/** Jobs that have not ended, and one page of those that have, newest first. */
export async function getJobs(page: number): Promise<JobsView> {
  await getJobRunner()
  const database = await getDatabase()
  const read = (wanted: number) =>
    findEndedJobs(database, { skip: (wanted - 1) * JOBS_PAGE_SIZE, limit: JOBS_PAGE_SIZE })
  const first = read(page)
  const existing = Math.min(page, jobPages(first.total))
  const { jobs: ended, total } = existing === page ? first : read(existing)
  const open = findUnfinishedJobs(database)
  return jobsView({ open, ended, total, receipts: receiptsOf(database, [...open, ...ended]) }, existing)
}

/** null when there is no such job (any more). */
export async function getJob(id: string): Promise<JobView | null> {
  await getJobRunner()
  const database = await getDatabase()
  const job = findJob(database, id)
  return job === null ? null : (viewsOf(database, [job])[0] ?? null)
}

function viewsOf(database: Database, jobs: readonly JobRow[]): JobView[] {
  const receipts = receiptsOf(database, jobs)
  return jobs.map((job) => jobView(job, receipts))
}

function receiptsOf(database: Database, jobs: readonly JobRow[]) {
  return findReceipts(
    database,
    jobs.flatMap(({ receipt }) => receipt ?? []),
  )
}
