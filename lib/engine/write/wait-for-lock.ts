import type { LiveOwners, LockOwner } from './lock-ports'
import type { WaitOptions } from './write-requests'

/** Between two checks for a process that works with a session. Milliseconds. */
const LOOK_MS = 250

/**
 * Waits for a running turn to end, as long as the caller allows. A gateway is not waited for: it stays until it is
 * stopped; nor are the two minutes after a write of an unknown process. Answers who is still there at the end, or
 * null.
 *
 * @param waitMs how much of the caller's wait is left
 */
export async function waitForLock(
  live: LiveOwners,
  session: Parameters<LiveOwners['find']>[0],
  { waitMs, onWait, signal }: WaitOptions,
): Promise<LockOwner | null> {
  const end = performance.now() + waitMs
  let reported: number | null = null
  for (;;) {
    const owner = await live.find(session)
    if (owner === null || owner.via === 'gateway' || owner.via === 'recent' || signal?.aborted) return owner
    const left = end - performance.now()
    if (left <= 0) return owner
    if (reported !== owner.pid) onWait?.(owner)
    reported = owner.pid
    await new Promise((done) => setTimeout(done, Math.min(left, LOOK_MS)))
  }
}
