import type { StoreLock } from '../../core/findings/stores/store-facts'
import type { StaleReason } from '../../engine/write/lock-ports'
import { lockOwner, staleReason } from './judge-lock'
import { readLock } from './lock-file'
import { LOCK_TIMES } from './lock-times'
import { systemProcesses } from './process-table'

const REASONS: { readonly [R in StaleReason]: (pid: number | null) => string } = {
  'missing-pid': () => 'it names no process',
  'dead-pid': (pid) => `process ${pid} has ended`,
  'recycled-pid': (pid) => `process ${pid} is another one now`,
  unreadable: () => 'nothing in it can be read',
  'not-ours': () => 'it names this process, which does not hold it',
}

/** The lock file with this path, judged as for a write that would wait for it; null: there is none. Changes nothing. */
export function leftLock(lockFile: string, now: number): StoreLock | null {
  const lock = readLock(lockFile)
  if (lock === null) return null
  const reason = staleReason(lock, { now, times: LOCK_TIMES, processes: systemProcesses, heldHere: false })
  const { pid, since, command } = lockOwner(lockFile, lock, systemProcesses)
  return { stale: reason === null ? null : REASONS[reason](pid), since: since ?? lock.mtimeMs, pid, command }
}
