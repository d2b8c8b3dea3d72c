import 'server-only'
import type { Database } from '../db/client'
import { readLiveStamp } from '../db/queries/live-stamp'
import { getDatabase } from './database'
import { oncePerProcess } from './process-memory'
import { RecentlyUsed } from './recently-used'

type Kept = { readonly stamp: string; readonly answer: Promise<unknown> }

/** Answers kept; a window of the list of sessions takes about 60 kB. */
const ANSWERS_KEPT = 64

function memory(): RecentlyUsed<string, Kept> {
  return oncePerProcess('until-change', () => new RecentlyUsed(ANSWERS_KEPT))
}

/**
 * What `read` answers, read once until a session or a store changes. `key` must name everything else that the answer
 * depends on; requests that come at the same time share one reading.
 */
export async function untilChange<T>(key: string, read: (database: Database) => Promise<T>): Promise<T> {
  const database = await getDatabase()
  const { revision, stores } = readLiveStamp(database)
  const stamp = `${database.url}\n${revision}\n${stores}`
  const kept = memory().get(key)
  if (kept?.stamp === stamp) return kept.answer as Promise<T>
  const answer = read(database)
  memory().set(key, { stamp, answer })
  // A failure is not an answer: the next request tries again.
  answer.catch(() => memory().set(key, { stamp: '', answer }))
  return answer
}
