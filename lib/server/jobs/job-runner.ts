import 'server-only'
import { randomBytes } from 'node:crypto'
import { jobProcesses } from '../../adapters/process/job-processes'
import type { Milliseconds } from '../../core/units/units'
import { jobRows } from '../../db/commands/jobs'
import { JobRunner } from '../../engine/jobs/jobs'
import { getDatabase } from '../process/database'
import { oncePerProcess } from '../process/process-memory'
import { type DashboardJobs, JOB_KINDS } from './job-kinds'

/** Jobs that run side by side. Most of a job is waiting for disks and locks. */
const AT_ONCE = 3

const state = oncePerProcess('jobs', (): { opening: Promise<JobRunner<DashboardJobs>> | null } => ({
  opening: null,
}))

/** The jobs of this process. Those that an earlier one left are recovered when it is first asked for. */
export function getJobRunner(): Promise<JobRunner<DashboardJobs>> {
  state.opening ??= open().catch((error: unknown) => {
    state.opening = null
    throw error
  })
  return state.opening
}

async function open(): Promise<JobRunner<DashboardJobs>> {
  const { connection } = await getDatabase()
  const ports = {
    clock: { now: Date.now },
    ids: {
      job: (now: Milliseconds) => `${now.toString(36).padStart(9, '0')}-${randomBytes(4).toString('hex')}`,
    },
    rows: jobRows(connection),
    processes: jobProcesses(),
  }
  const runner = new JobRunner<DashboardJobs>(ports, JOB_KINDS, AT_ONCE)
  await runner.settle()
  return runner
}
