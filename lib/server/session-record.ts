import 'server-only'
import { findSession, type SessionDetail } from '../db/queries/session-detail'
import { getDatabase } from './database'

/** The session that a URL names; null when there is none. */
export async function getSession(id: string): Promise<SessionDetail | null> {
  return findSession(await getDatabase(), id)
}
