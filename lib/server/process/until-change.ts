import 'server-only'
import type { Database } from '../../db/client'
import { readLiveStamp } from '../../db/queries/live-stamp'
import { getDatabase } from './database'
import { remember } from './remember'

/** Answers kept; a window of the list of sessions takes about 60 kB. */
const ANSWERS_KEPT = 64

const answers = remember<string, Promise<unknown>>('until-change', ANSWERS_KEPT)

/**
 * What `read` answers, read once until a session or a store changes. `key` must name everything else that the answer
 * depends on; requests that come at the same time share one reading.
 */
export async function untilChange<T>(key: string, read: (database: Database) => Promise<T>): Promise<T> {
  const database = await getDatabase()
  const { revision, stores } = readLiveStamp(database)
  const stamp = `${database.url}\n${revision}\n${stores}`
  return answers(key, stamp, () => read(database)) as Promise<T>
}
