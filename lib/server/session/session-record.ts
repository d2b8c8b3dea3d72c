import 'server-only'
import { readSessionDetail, type SessionDetail } from '../../db/queries/session-detail'
import { getDatabase } from '../process/database'

/** The session that a URL names; null when there is none. */
export async function getSession(id: string): Promise<SessionDetail | null> {
  return readSessionDetail(await getDatabase(), id)
}
