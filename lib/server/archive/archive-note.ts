import 'server-only'
import { archiveOf } from '../../compose/archive'
import type { SessionDetail } from '../../db/queries/session-detail'
import { type GoneNote, goneNote } from '../../view/archive/archive-view'
import { getSetup } from '../process/setup'

/** What is left of a session whose transcript is no longer in its store; null while it is there. */
export async function getGoneNote({
  id,
  state,
}: Pick<SessionDetail, 'id' | 'state'>): Promise<GoneNote | null> {
  if (state !== 'gone') return null
  const folder = archiveOf(getSetup().environment)
  const [version, mark] = await Promise.all([folder.newest(id), folder.mark(id)])
  return goneNote({
    kept: version && { id, copiedAt: version.copiedAt, isFile: version.form === 'file' },
    mark,
  })
}
