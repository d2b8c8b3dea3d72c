import { type ClientRole, isPi, openClawRole } from './client-process'
import { type RunningGateway, runningGateways } from './gateway-lock-files'
import { procFolder } from './proc-folder'
import type { ProcessTable } from './process-table'

/** Everything about the processes of this machine that can tell who works with a session, at one moment. */
export type ProcessScan = {
  readonly gateways: readonly RunningGateway[]
  /** OpenClaw's processes whose environment can be read. */
  readonly clients: readonly {
    readonly pid: number
    readonly role: Exclude<ClientRole, null>
    readonly environment: Readonly<Record<string, string>>
  }[]
  /** pi's processes, and the folders that they work in. */
  readonly pis: readonly { readonly pid: number; readonly folder: string | null }[]
  /** Files of sessions that are open for writing, by real path, and who has them open. */
  readonly writers: ReadonlyMap<string, number>
}

const SESSION_FILE = /\.jsonl|sessions\.json/

/** @param temporary temporary folders in which gateways leave their lock files */
export function scanProcesses(
  processes: ProcessTable,
  temporary: readonly string[] | undefined,
): ProcessScan {
  const others = procFolder.ids().filter((pid) => pid !== processes.pid)
  const clients: ProcessScan['clients'][number][] = []
  const pis: ProcessScan['pis'][number][] = []
  const writers = new Map<string, number>()
  for (const pid of others) {
    for (const file of procFolder.written(pid, SESSION_FILE)) writers.set(file, pid)
    const argv = processes.argv(pid) ?? []
    if (isPi(argv)) pis.push({ pid, folder: procFolder.workingFolder(pid) })
    const role = openClawRole(argv)
    const environment = role === null ? null : procFolder.environment(pid)
    if (role !== null && environment !== null) clients.push({ pid, role, environment })
  }
  return { gateways: runningGateways(processes, temporary), clients, pis, writers }
}
