import { writableKind } from '../../engine/write/writable'
import 'server-only'
import { join } from 'node:path'
import { openGateway } from '../../compose/gateway'
import { whoWorksWith } from '../../compose/session-owner'
import { ownerOf } from '../../core/transcript/mirror'
import { compactorOf } from '../../engine/compaction/run-compaction'
import type { CompactionStatus } from '../../view/compaction/compaction-status'
import { getSetup } from '../process/setup'
import { transcriptPlace } from '../session/inspected-session'
import { getSession } from '../session/session-record'

/** Whether a session can be compacted now, and who works with it; null when there is no such session. */
export async function getCompactionStatus(id: string): Promise<CompactionStatus | null> {
  const session = await getSession(id)
  if (session === null) return null
  const { store, transcript } = transcriptPlace(session)
  const owned = ownerOf(transcript.index, { provider: session.provider })
  const compactor = compactorOf({ store, transcript, owner: owned }, openGateway(getSetup(), process.env))
  const byGateway = compactor.by === 'gateway'
  const unfit = compactor.by === null ? compactor.why : null
  const backups = join(getSetup().environment.home, 'backups')
  const { path: file } = transcript
  // A gateway knows for itself who works with its sessions.
  if (unfit !== null || byGateway) return { file, backups, unfit, owner: null, byGateway }
  const owner = await whoWorksWith(getSetup(), { file, root: store.root, kind: writableKind(store) })
  return { file, backups, unfit, owner, byGateway }
}
