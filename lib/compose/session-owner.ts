import { liveOwners } from '../adapters/locks/live-owners'
import { sessionLocks } from '../adapters/locks/session-locks'
import { nodeWriteFiles } from '../adapters/write/node-write-files'
import { isOwnWrite } from '../engine/write/own-write'
import { describeOwner } from '../engine/write/refusal'
import type { WriteTarget } from '../engine/write/write-requests'
import type { Setup } from './setup'
import { openReceipts } from './writer'

/** Who works with a transcript now, in words; null when no process does. What we wrote to it ourselves does not count. */
export async function whoWorksWith(setup: Setup, target: WriteTarget): Promise<string | null> {
  const owner = (await liveOwners().find(target)) ?? (await sessionLocks().owner(target.file))
  if (owner === null) return null
  if (owner.via !== 'recent') return describeOwner(owner)
  const files = nodeWriteFiles
  const path = await files.realPath(target.file)
  const isOurs = await isOwnWrite({ files, receipts: openReceipts(setup) }, path)
  return isOurs ? null : describeOwner(owner)
}
