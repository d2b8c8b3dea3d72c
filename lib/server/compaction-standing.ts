import 'server-only'
import { join } from 'node:path'
import { liveOwners } from '../adapters/locks/live-owners'
import { sessionLocks } from '../adapters/locks/session-locks'
import { unfitReason } from '../engine/compact-session'
import { describeOwner } from '../engine/refusal'
import type { CompactionStanding } from '../view/compaction-standing'
import { gatewayOf } from './gateway-compaction'
import { placeOf } from './inspected-session'
import { getSession } from './session-record'
import { getSetup } from './setup'

/** Whether a session can be compacted now, and who works with it; null when there is no such session. */
export async function getStanding(id: string): Promise<CompactionStanding | null> {
  const session = await getSession(id)
  if (session === null) return null
  const { store, transcript } = placeOf(session)
  const byGateway = gatewayOf(store, transcript) !== null
  const unfit = byGateway ? null : unfitReason({ store, transcript })
  const backups = join(getSetup().environment.home, 'backups')
  const { path: file } = transcript
  // A gateway knows for itself who works with its sessions.
  if (unfit !== null || byGateway) return { file, backups, unfit, owner: null, byGateway }
  const owner =
    (await liveOwners().find({ file, root: store.root, kind: store.kind })) ??
    (await sessionLocks().owner(file))
  return { file, backups, unfit, owner: owner === null ? null : describeOwner(owner), byGateway }
}
