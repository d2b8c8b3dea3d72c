import { realpathSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import type { LiveOwners, LockOwner } from '../../engine/write/lock-ports'
import { procFolder } from './proc-folder'
import { type ProcessScan, scanProcesses } from './process-scan'
import { describeCommand, type ProcessTable, systemProcesses } from './process-table'
import { gatewayPort, ownsTranscript, stateFolderOf } from './state-folder'
import { workingFolderOf } from './transcript-cwd'

export type LiveSetup = {
  readonly processes?: ProcessTable
  /** Temporary folders in which gateways leave their lock files. */
  readonly temporary?: readonly string[]
  /** The process that listens on a port; null when unknown. */
  readonly listener?: (port: number) => number | null
}

/** A transcript without a lock counts as in use for so long after its last line. Milliseconds. */
const QUIET_MS = 120_000

/** Names of runtimes' settings files; no transcript is called so. */
const SETTINGS = /^(?:(?:openclaw|clawdbot|moldbot|moltbot|goclaw|settings)\.json|config\.toml)$/

/** How long a port may take to answer. Milliseconds. */
const PORT_MS = 500

/**
 * A look at all processes serves for this long, since a change of many files asks once for each. No client starts and
 * reads a session in less. Milliseconds.
 */
const SCAN_MS = 50

/**
 * Finds who works with a session, by what the runtimes leave to see (lib/docs/openclaw.md#locks): the lock file of a
 * gateway, its port, processes of the runtime that use the store, and processes that have the transcript open for
 * writing. Without /proc (macOS, Windows) only the gateway's file and port are seen, not a turn that runs without a
 * gateway: there the transcript's own lock alone tells. Processes in a container of another user are seen by their port
 * at most.
 */
export function liveOwners(setup: LiveSetup = {}): LiveOwners {
  return new SystemOwners(setup)
}

class SystemOwners implements LiveOwners {
  private readonly processes: ProcessTable
  private readonly listener: NonNullable<LiveSetup['listener']>
  private readonly temporary: LiveSetup['temporary']
  private scanned: { readonly at: number; readonly scan: ProcessScan } | null = null

  constructor({ processes, listener, temporary }: LiveSetup) {
    this.processes = processes ?? systemProcesses
    this.listener = listener ?? ((port) => procFolder.listener(port))
    this.temporary = temporary
  }

  async find({ file, kind }: Parameters<LiveOwners['find']>[0]): Promise<LockOwner | null> {
    // The transcript itself need not be there yet.
    const folder = realPath(path.dirname(file))
    if (folder === null) return null
    const real = path.join(folder, path.basename(file))
    const scan = this.scan()
    const writer = scan.writers.get(real)
    if (writer !== undefined) return this.owner(writer, 'run', `${real} is open for writing`)
    // A runtime reads its settings when it starts or when they change: no turn works with them.
    if (SETTINGS.test(path.basename(real))) return null
    if (kind === 'pi') return this.pi(real, scan)
    if (kind !== 'openclaw') return recentWriter(real)
    return this.gateway(real, scan) ?? this.client(real, scan) ?? (await this.port(real))
  }

  private scan(): ProcessScan {
    const now = performance.now()
    if (this.scanned === null || now - this.scanned.at > SCAN_MS) {
      this.scanned = { at: now, scan: scanProcesses(this.processes, this.temporary) }
    }
    return this.scanned.scan
  }

  private gateway(file: string, { gateways }: ProcessScan): LockOwner | null {
    const state = stateFolderOf(file)
    for (const { pid, since, configPath, lockFile } of gateways) {
      const folder = path.dirname(configPath)
      const owns =
        (state !== null && state === (realPath(folder) ?? folder)) ||
        ownsTranscript(procFolder.environment(pid) ?? {}, file)
      if (owns) return this.owner(pid, 'gateway', lockFile, since)
    }
    return null
  }

  private client(file: string, { clients }: ProcessScan): LockOwner | null {
    const found = clients.find(({ environment }) => ownsTranscript(environment, file))
    return found === undefined ? null : this.owner(found.pid, found.role, `process ${found.pid}`)
  }

  /** pi keeps no file open and has no lock: it is live in every session of the folder that it works in. */
  private pi(file: string, { pis }: ProcessScan): LockOwner | null {
    if (pis.length === 0) return null
    const folder = workingFolderOf(file)
    const real = folder === null ? null : realPath(folder)
    const found = real === null ? undefined : pis.find((pi) => pi.folder === real)
    return found === undefined ? null : this.owner(found.pid, 'run', `pi works in ${folder}`)
  }

  /** A gateway whose process we cannot look at: of another user, in a container, or on a system without /proc. */
  private async port(file: string): Promise<LockOwner | null> {
    const folder = stateFolderOf(file)
    if (folder === null) return null
    const port = gatewayPort(folder)
    if (!(await answers(port))) return null
    const pid = this.listener(port)
    // Its environment was checked already, and it does not use this store; or it is no gateway at all.
    if (pid !== null && procFolder.environment(pid) !== null) return null
    const evidence = `port ${port} on this machine answers, which ${folder} names for its gateway`
    if (pid !== null) return this.owner(pid, 'gateway', evidence)
    return { pid: null, since: null, command: null, via: 'gateway', evidence }
  }

  private owner(
    pid: number,
    via: LockOwner['via'],
    evidence: string,
    since: number | null = null,
  ): LockOwner {
    const command = describeCommand(this.processes.argv(pid))
    return { pid, since: since ?? this.processes.startedAt(pid), command, via, evidence }
  }
}

/**
 * Claude Code and Codex have no lock, and open a transcript for each line anew: who wrote to it a moment ago may go on.
 */
function recentWriter(file: string): LockOwner | null {
  const stat = statSync(file, { throwIfNoEntry: false })
  const ageMs = stat === undefined ? QUIET_MS : Date.now() - stat.mtimeMs
  if (ageMs >= QUIET_MS) return null
  const evidence = `${file} was written ${Math.max(0, Math.round(ageMs / 1000))} s ago; it is left alone for two minutes`
  return { pid: null, since: null, command: null, via: 'recent', evidence }
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
    // Not there: no process works in it.
    return null
  }
}
