import 'server-only'
import { readSessionDetail, type SessionDetail } from '../../db/queries/session-detail'
import { getDatabase } from '../process/database'
import { oncePerRender } from '../process/once-per-render'
import { getRevision } from '../process/revision'

/** The session that a URL names; null when there is none. */
export const getSession = oncePerRender(async (id: string): Promise<SessionDetail | null> => {
  // Parts of a page share the session. The revision that any of them names must not be younger than it.
  await getRevision()
  return readSessionDetail(await getDatabase(), id)
})
