import 'server-only'
import type { JobKinds } from '../engine/job-ports'
import { type CleanupParams, cleanupJob } from './cleanup-job'
import { type CompactParams, compactJob } from './compact-job'
import { type DoctorParams, doctorJob } from './doctor-job'
import { type MaintainParams, maintainJob } from './maintain-job'
import { type RepairParams, repairJob } from './repair-job'
import { rescanJob } from './rescan-job'

/**
 * Work that the dashboard can begin, and what each needs to be told. A new kind is a name here, its entry below, and a
 * file with its `describe` and `run`; writes go through `reportedWriter`.
 */
export type DashboardJobs = {
  readonly rescan: null
  readonly repair: RepairParams
  readonly maintain: MaintainParams
  readonly compact: CompactParams
  readonly cleanup: CleanupParams
  readonly doctor: DoctorParams
}

export const JOB_KINDS: JobKinds<DashboardJobs> = {
  rescan: rescanJob,
  repair: repairJob,
  maintain: maintainJob,
  compact: compactJob,
  cleanup: cleanupJob,
  doctor: doctorJob,
}
