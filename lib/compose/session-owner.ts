import { liveOwners } from '../adapters/locks/live-owners'
import { sessionLocks } from '../adapters/locks/session-locks'
import { describeOwner } from '../engine/write/refusal'
import type { WriteTarget } from '../engine/write/write-requests'

/** Who works with a transcript now, in words; null when nobody does. */
export async function whoWorksWith(target: WriteTarget): Promise<string | null> {
  const owner = (await liveOwners().find(target)) ?? (await sessionLocks().owner(target.file))
  return owner === null ? null : describeOwner(owner)
}
