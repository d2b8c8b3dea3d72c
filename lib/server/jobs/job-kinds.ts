import 'server-only'
import type { JobKinds } from '../../engine/jobs/job-ports'
import { type CompactParams, compactJob } from '../compaction/compact-job'
import { type LabParams, labJob } from '../lab/lab-job'
import { type CleanupParams, cleanupJob } from '../maintenance/cleanup-job'
import { type MaintainParams, maintainJob } from '../maintenance/maintain-job'
import { type DoctorParams, doctorJob } from '../repair/doctor-job'
import { type RepairParams, repairJob } from '../repair/repair-job'
import { rescanJob } from '../stores/rescan-job'

/**
 * Work that the dashboard can begin, and the input of each. A new kind is a name here, its entry below, and a
 * file with its `describe` and `run`; writes go through `reportedWriter`.
 */
export type DashboardJobs = {
  readonly rescan: null
  readonly repair: RepairParams
  readonly maintain: MaintainParams
  readonly compact: CompactParams
  readonly cleanup: CleanupParams
  readonly doctor: DoctorParams
  readonly lab: LabParams
}

export const JOB_KINDS: JobKinds<DashboardJobs> = {
  rescan: rescanJob,
  repair: repairJob,
  maintain: maintainJob,
  compact: compactJob,
  cleanup: cleanupJob,
  doctor: doctorJob,
  lab: labJob,
}
