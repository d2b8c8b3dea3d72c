import 'server-only'
import { readLiveStamp } from '../../db/queries/live-stamp'
import { getDatabase } from './database'

/**
 * Revision of the database; null when it cannot be read. A page reads it before its data: what changes after that
 * reaches the page by the live line.
 */
export async function getRevision(): Promise<number | null> {
  try {
    return readLiveStamp(await getDatabase()).revision
  } catch {
    return null
  }
}
