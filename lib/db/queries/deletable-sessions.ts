import * as z from 'zod'
import { stampedSource } from '../../engine/ingest/stamp'
import type { SourceStamp } from '../../engine/read/ports'
import type { Database } from '../client'
import { rowsOf } from '../rows'
import { EVENT_COLUMNS, EVENT_SESSION, type EventSession } from './event-session'

/** A transcript that its runtime may delete. */
export type DeletableSession = EventSession & {
  readonly storeId: string
  readonly path: string
  readonly state: string
  /** The runtime's index names its session. */
  readonly isIndexed: boolean
  /** Its file, when it was read last. */
  readonly stamp: SourceStamp
}

const ROW = z.object({
  ...EVENT_SESSION,
  storeId: z.string(),
  path: z.string(),
  state: z.string(),
  indexed: z.number(),
  stamp: z.string(),
})

/** Transcripts of some stores that were read to their end and are still there. */
export function findDeletableSessions(
  { connection }: Pick<Database, 'connection'>,
  storeIds: readonly string[],
): readonly DeletableSession[] {
  if (storeIds.length === 0) return []
  const answer = connection.run(
    `SELECT ${EVENT_COLUMNS}, s."storeId", s."path", s."state", s."indexJson" IS NOT NULL AS "indexed", s."stamp"
     FROM "Session" s WHERE s."storeId" IN (SELECT value FROM json_each(?))
       AND s."state" <> 'gone' AND s."stamp" IS NOT NULL`,
    [JSON.stringify(storeIds)],
  )
  return rowsOf(ROW, answer).flatMap(({ stamp: text, indexed, ...session }) => {
    const stamp = stampedSource(text)
    return stamp === null ? [] : [{ ...session, isIndexed: indexed === 1, stamp }]
  })
}
