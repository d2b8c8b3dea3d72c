import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'

/** What the system tells about running processes. */
export type ProcessTable = {
  /** Our own. */
  readonly pid: number
  /** A process of another user counts as alive; one that has ended and was not collected does not. */
  isAlive(pid: number): boolean
  /** When it started, in clock ticks since the start of the system; null where the system does not tell (not Linux). */
  startTicks(pid: number): number | null
  /** When it started, in milliseconds since the epoch, to about a second; null where the system does not tell. */
  startedAt(pid: number): number | null
  /** Its arguments; null when they cannot be read (another user, or a system that we do not ask). */
  argv(pid: number): readonly string[] | null
}

/** Linux reports times of processes in hundredths of a second to every program, whatever its kernel counts in. */
const TICKS_PER_SECOND = 100

/** The processes of this machine. macOS tells no ticks, Windows neither start times nor arguments. */
export const systemProcesses: ProcessTable = {
  pid: process.pid,
  isAlive,
  startTicks,
  startedAt: (pid) => {
    if (process.platform === 'darwin') return startedFromPs(pid)
    const ticks = startTicks(pid)
    const boot = bootTime()
    return ticks === null || boot === null ? null : boot + (ticks * 1000) / TICKS_PER_SECOND
  },
  argv: (pid) => (process.platform === 'darwin' ? argvFromPs(pid) : argvFromProc(pid)),
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return !/^State:\s+Z/m.test(readProc(pid, 'status') ?? '')
}

function startTicks(pid: number): number | null {
  const stat = readProc(pid, 'stat')
  // The name is in brackets and may hold blanks and brackets itself; the start time is the 20th field after it.
  const field = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  const ticks = field === undefined ? Number.NaN : Number(field)
  return Number.isInteger(ticks) && ticks >= 0 ? ticks : null
}

function bootTime(): number | null {
  const seconds = /^btime (\d+)$/m.exec(readProc(null, 'stat') ?? '')?.[1]
  return seconds === undefined ? null : Number(seconds) * 1000
}

function argvFromProc(pid: number): readonly string[] | null {
  const text = readProc(pid, 'cmdline')
  const argv = text?.split('\0').filter((argument) => argument.trim() !== '') ?? []
  return argv.length === 0 ? null : argv
}

/** One line in which blanks inside of arguments differ from those between them. */
function argvFromPs(pid: number): readonly string[] | null {
  const argv = askPs('command', pid)?.split(/\s+/).filter(Boolean) ?? []
  return argv.length === 0 ? null : argv
}

function startedFromPs(pid: number): number | null {
  const age = elapsedMs(askPs('etime', pid) ?? '')
  return age === null ? null : Date.now() - age
}

/** Milliseconds of what `ps` prints as the age of a process: `[[days-]hours:]minutes:seconds`. */
export function elapsedMs(text: string): number | null {
  const match = /^(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+)$/.exec(text)
  if (match === null) return null
  const [days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0))
  return ((((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1000
}

/** One field that `ps` prints for a process; null when it prints nothing. */
function askPs(field: string, pid: number): string | null {
  const ran = spawnSync('ps', ['-o', `${field}=`, '-p', String(pid)], { encoding: 'utf8', timeout: 1000 })
  return ran.status === 0 ? (ran.stdout ?? '').trim() : null
}

function readProc(pid: number | null, name: string): string | null {
  try {
    return readFileSync(pid === null ? `/proc/${name}` : `/proc/${pid}/${name}`, 'utf8')
  } catch {
    // Not Linux, gone by now, or of another user.
    return null
  }
}

/**
 * A command line for people: programs without their folders, and nothing from the first option on (it may be secret).
 */
export function describeCommand(argv: readonly string[] | null): string | null {
  if (argv === null) return null
  const end = argv.findIndex((argument, at) => at > 0 && argument.startsWith('-'))
  const shown = argv.slice(0, end === -1 ? 4 : Math.min(end, 4))
  const words = shown.map((argument, at) => (at < 2 ? path.basename(argument) : argument))
  return words.join(' ').slice(0, 80)
}
