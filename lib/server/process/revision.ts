import 'server-only'
import { readLiveStamp } from '../../db/queries/live-stamp'
import { getDatabase } from './database'
import { oncePerRender } from './once-per-render'

/**
 * Revision of the database; null when it cannot be read. A page reads it before its data: what changes after that
 * reaches the page by the live line.
 */
export const getRevision = oncePerRender(async (): Promise<number | null> => {
  try {
    return readLiveStamp(await getDatabase()).revision
  } catch {
    return null
  }
})
