import { realpathSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import type { LiveOwners, LockOwner } from '../../engine/lock-ports'
import { isPi, openClawRole } from './client-process'
import { runningGateways } from './gateway-lock-files'
import { procFolder } from './proc-folder'
import { describeCommand, type ProcessTable, systemProcesses } from './process-table'
import { gatewayPort, ownsTranscript, stateFolderOf } from './state-folder'
import { workingFolderOf } from './transcript-cwd'

export type LiveSetup = {
  readonly processes?: ProcessTable
  /** Temporary folders in which gateways leave their lock files. */
  readonly temporary?: readonly string[]
  /** The process that listens on a port; null when it cannot be told. */
  readonly listener?: (port: number) => number | null
}

/** How long a port may take to answer. Milliseconds. */
const PORT_MS = 500

/**
 * Finds who works with a session, by what the runtimes leave to see (openclaw.md §5): the lock file of a gateway, its
 * port, processes of the runtime that use the store, and processes that have the transcript open for writing. Without
 * /proc (macOS, Windows) only the gateway's file and port are seen, not a turn that somebody runs without a gateway:
 * there the transcript's own lock alone tells. Processes in a container of another user are seen by their port at most.
 */
export function liveOwners(setup: LiveSetup = {}): LiveOwners {
  const processes = setup.processes ?? systemProcesses
  const listener = setup.listener ?? ((port) => procFolder.listener(port))
  return {
    async find({ file, kind }) {
      // The transcript itself need not be there yet.
      const folder = realPath(path.dirname(file))
      if (folder === null) return null
      const real = path.join(folder, path.basename(file))
      const byFile = openedBy(real, processes)
      if (byFile !== null) return byFile
      if (kind === 'pi') return piIn(real, processes)
      return (
        byGatewayFile(real, processes, setup.temporary) ??
        byProcess(real, processes) ??
        (await byPort(real, processes, listener))
      )
    },
  }
}

function byGatewayFile(
  file: string,
  processes: ProcessTable,
  temporary: readonly string[] | undefined,
): LockOwner | null {
  for (const gateway of runningGateways(processes, temporary)) {
    const folder = path.dirname(gateway.configPath)
    const owns =
      stateFolderOf(file) === (realPath(folder) ?? folder) ||
      ownsTranscript(procFolder.environment(gateway.pid) ?? {}, file)
    if (owns) return ownerOf(gateway.pid, 'gateway', gateway.lockFile, processes, gateway.since)
  }
  return null
}

function byProcess(file: string, processes: ProcessTable): LockOwner | null {
  for (const pid of others(processes)) {
    const role = openClawRole(processes.argv(pid) ?? [])
    if (role === null) continue
    const environment = procFolder.environment(pid)
    if (environment === null || !ownsTranscript(environment, file)) continue
    return ownerOf(pid, role, `process ${pid}`, processes)
  }
  return null
}

/** A gateway whose process we cannot look at: of another user, in a container, or on a system without /proc. */
async function byPort(
  file: string,
  processes: ProcessTable,
  listener: (port: number) => number | null,
): Promise<LockOwner | null> {
  const folder = stateFolderOf(file)
  if (folder === null) return null
  const port = gatewayPort(folder)
  if (!(await answers(port))) return null
  const pid = listener(port)
  // Whoever it is, its environment was looked at already, and it does not use this store; or it is no gateway at all.
  if (pid !== null && procFolder.environment(pid) !== null) return null
  const evidence = `port ${port} on this machine answers, which ${folder} names for its gateway`
  if (pid !== null) return ownerOf(pid, 'gateway', evidence, processes)
  return { pid: null, since: null, command: null, via: 'gateway', evidence }
}

function openedBy(file: string, processes: ProcessTable): LockOwner | null {
  const pid = others(processes).find((other) => procFolder.writes(other, file))
  return pid === undefined ? null : ownerOf(pid, 'run', `${file} is open for writing`, processes)
}

/** pi keeps no file open and has no lock: it is live in every session of the folder that it works in. */
function piIn(file: string, processes: ProcessTable): LockOwner | null {
  const folder = workingFolderOf(file)
  if (folder === null) return null
  for (const pid of others(processes)) {
    if (!isPi(processes.argv(pid) ?? []) || procFolder.workingFolder(pid) !== realPath(folder)) continue
    return ownerOf(pid, 'run', `pi works in ${folder}`, processes)
  }
  return null
}

function others(processes: ProcessTable): number[] {
  return procFolder.ids().filter((pid) => pid !== processes.pid)
}

function ownerOf(
  pid: number,
  via: LockOwner['via'],
  evidence: string,
  processes: ProcessTable,
  since: number | null = null,
): LockOwner {
  return {
    pid,
    since: since ?? processes.startedAt(pid),
    command: describeCommand(processes.argv(pid)),
    via,
    evidence,
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1' })
    const finish = (answer: boolean) => {
      socket.destroy()
      done(answer)
    }
    socket.setTimeout(PORT_MS, () => finish(false))
    socket.once('connect', () => finish(true))
    socket.once('error', () => finish(false))
  })
}

function realPath(file: string): string | null {
  try {
    return realpathSync.native(file)
  } catch {
    // Not there: nobody works in it.
    return null
  }
}
