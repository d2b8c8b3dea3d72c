import type { LockOwner, StaleReason } from '../../engine/lock-ports'
import { looksLikeClient } from './client-look'
import { openClawRole } from './client-process'
import type { LockSnapshot } from './lock-file'
import type { LockTimes } from './lock-times'
import { describeCommand, type ProcessTable } from './process-table'

/** What a lock file says; null for what it does not say. Both generations write JSON with `pid` and `createdAt`. */
export type LockPayload = {
  readonly pid: number | null
  /** Milliseconds since the epoch. */
  readonly createdAt: number | null
  readonly maxHoldMs: number | null
  /** Start time of the owner in clock ticks since the start of the system. */
  readonly starttime: number | null
}

export type Circumstances = {
  readonly now: number
  readonly times: LockTimes
  readonly processes: ProcessTable
  /** Whether this process holds that lock. */
  readonly heldHere: boolean
}

/** How long a lock without a usable payload is taken for one that is just being written. Milliseconds. */
const WRITING_MS = 30_000

/** Start times from the system's clock are true to a second. Milliseconds. */
const CLOCK_SLACK_MS = 2000

export function readPayload(text: string): LockPayload {
  const said = parsed(text)
  const whole = (value: unknown, least: number): number | null =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= least ? value : null
  const createdAt = typeof said.createdAt === 'string' ? Date.parse(said.createdAt) : Number.NaN
  return {
    pid: whole(said.pid, 1),
    createdAt: Number.isNaN(createdAt) ? null : createdAt,
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

/** Why this lock does not count any more; null while it does. More cautious than the clients: who lives is not robbed. */
export function staleReason(lock: LockSnapshot, circumstances: Circumstances): StaleReason | null {
  const { now, times, processes, heldHere } = circumstances
  const payload = readPayload(lock.text)
  const { pid, createdAt, starttime } = payload
  if (heldHere) return null
  if (pid === null) {
    if (now - lock.mtimeMs <= Math.min(times.staleMs, WRITING_MS)) return null
    return createdAt === null ? 'unreadable' : 'missing-pid'
  }
  if (!processes.isAlive(pid)) return 'dead-pid'
  const started = processes.startTicks(pid)
  if (starttime !== null && started !== null && starttime !== started) return 'recycled-pid'
  if (pid === processes.pid) return 'not-ours'
  const proven = starttime !== null && started !== null
  if (createdAt === null) {
    const writing = now - lock.mtimeMs <= Math.min(times.staleMs, WRITING_MS)
    return proven || writing ? null : 'invalid-created-at'
  }
  if (proven) return null
  if (isRecycled(pid, createdAt, processes)) return 'recycled-pid'
  return now - createdAt > Math.max(times.staleMs, payload.maxHoldMs ?? 0) ? 'too-old' : null
}

/**
 * Locks of the first generation do not tell the owner's start time. A process that started after the lock was made
 * and looks like none of the clients is another one that was given the same number. (The look is asked for, too, since
 * a clock that was set forward makes every process younger.)
 */
function isRecycled(pid: number, createdAt: number, processes: ProcessTable): boolean {
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
