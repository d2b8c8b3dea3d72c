import type { JobProcesses } from '../../engine/jobs/job-ports'
import { type ProcessTable, systemProcesses } from '../locks/process-table'

/** Processes by their number and when they were started, so that another one with the same number is another one. */
export function jobProcesses(table: ProcessTable = systemProcesses): JobProcesses {
  const nameOf = (pid: number) => `${pid} ${table.startTicks(pid) ?? '?'}`
  return {
    own: nameOf(table.pid),
    isAlive: (name) => {
      const pid = Number(name.split(' ')[0])
      return Number.isInteger(pid) && pid > 0 && table.isAlive(pid) && nameOf(pid) === name
    },
  }
}
