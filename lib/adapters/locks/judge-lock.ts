import type { Milliseconds } from '../../core/units/units'
import type { LockOwner, StaleReason } from '../../engine/write/lock-ports'
import { openClawRole } from './client-process'
import { looksLikeClient } from './client-sign'
import type { LockSnapshot } from './lock-file'
import type { LockTimes } from './lock-times'
import { describeCommand, type ProcessTable } from './process-table'

/**
 * What a lock file says; null for what it does not say. All write JSON with `pid` and `createdAt`: OpenClaw a time in
 * ISO form, other programs that keep to its protocol a number of milliseconds.
 */
type LockPayload = {
  readonly pid: number | null
  /** Milliseconds since the epoch. */
  readonly createdAt: Milliseconds | null
  readonly maxHoldMs: Milliseconds | null
  /** Start time of the owner in clock ticks since the start of the system. */
  readonly starttime: number | null
}

export type Circumstances = {
  readonly now: Milliseconds
  readonly times: LockTimes
  readonly processes: ProcessTable
  /** Whether this process has that lock. */
  readonly heldHere: boolean
}

/** How long a lock without a usable payload is taken for one that is just being written. Milliseconds. */
const WRITING_MS = 30_000

/** An earlier time was not written by any program that locks: 9 September 2001. Milliseconds since the epoch. */
const EARLIEST_MS = 1e12

/** Start times from the system's clock are true to a second. Milliseconds. */
const CLOCK_SLACK_MS = 2000

function readPayload(text: string): LockPayload {
  const said = parsed(text)
  const whole = (value: unknown, least: number): number | null =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= least ? value : null
  const at = typeof said.createdAt === 'string' ? Date.parse(said.createdAt) : said.createdAt
  return {
    pid: whole(said.pid, 1),
    createdAt: typeof at === 'number' && at >= EARLIEST_MS && Number.isFinite(at) ? at : null,
    maxHoldMs: whole(said.maxHoldMs, 1),
    starttime: whole(said.starttime, 0),
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/**
 * Why this lock does not count any more; null while it does. More cautious than OpenClaw, which removes locks of living
 * processes once they are old: a process that lives and was there when the lock was made keeps it, at any age.
 */
export function staleReason(lock: LockSnapshot, circumstances: Circumstances): StaleReason | null {
  const { now, times, processes, heldHere } = circumstances
  const { pid, createdAt, starttime } = readPayload(lock.text)
  if (heldHere) return null
  if (pid === null) {
    if (now - lock.mtimeMs <= Math.min(times.staleMs, WRITING_MS)) return null
    return createdAt === null ? 'unreadable' : 'missing-pid'
  }
  if (!processes.isAlive(pid)) return 'dead-pid'
  const started = processes.startTicks(pid)
  if (starttime !== null && started !== null && starttime !== started) return 'recycled-pid'
  if (pid === processes.pid) return 'not-ours'
  if (starttime !== null && started !== null) return null
  return isRecycled(pid, createdAt ?? lock.mtimeMs, processes) ? 'recycled-pid' : null
}

/**
 * Most locks do not tell the owner's start time. A process that started after the lock was made and looks like none of
 * the clients is another one that was given the same number. (The look is asked for, too, since a clock that was set
 * forward makes every process younger.)
 */
function isRecycled(pid: number, createdAt: Milliseconds, processes: ProcessTable): boolean {
  const started = processes.startedAt(pid)
  if (started === null || started <= createdAt + CLOCK_SLACK_MS) return false
  const argv = processes.argv(pid)
  return argv !== null && !looksLikeClient(argv) && openClawRole(argv) === null
}

/** Who a lock file names. */
export function lockOwner(lockFile: string, lock: LockSnapshot, processes: ProcessTable): LockOwner {
  const { pid, createdAt } = readPayload(lock.text)
  return {
    pid,
    since: createdAt ?? lock.mtimeMs,
    command: pid === null ? null : describeCommand(processes.argv(pid)),
    via: 'lock',
    evidence: lockFile,
  }
}
