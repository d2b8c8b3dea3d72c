import * as z from 'zod'
import type { Tokens } from '../../core/units/units'
import type { Database } from '../client'
import { rowOf, rowsOf } from '../rows'
import { EVENT_COLUMNS, EVENT_SESSION, type EventSession } from './event-session'

/** Chunks of one session that were dropped within a minute, as the logs tell. */
export type RecentDrops = EventSession & {
  /** When the last of them was dropped. Milliseconds since the epoch. */
  readonly at: number
  readonly chunks: number
  /** Of those whose size is known; null when no size is. */
  readonly tokens: Tokens | null
}

/** Lines that are examined. */
const NEWEST_LINES = 2_000
const MINUTE = 60_000

const DROPS = z.object({
  ...EVENT_SESSION,
  at: z.number(),
  chunks: z.number(),
  tokens: z.number().nullable(),
})
const NEWEST = z.object({ at: z.number().nullable() })

/** Drops by session and minute, newest first. Sessions without a transcript here are left out. */
export function findRecentDrops(
  { connection }: Pick<Database, 'connection'>,
  limit: number,
): readonly RecentDrops[] {
  const answer = connection.run(
    `SELECT ${EVENT_COLUMNS}, d."at", d."chunks", d."tokens"
       FROM (
         SELECT "sessionId", MAX("at") AS "at", COUNT(*) AS "chunks", SUM(json_extract("recordJson", '$.tokens')) AS "tokens"
         FROM (
           SELECT "sessionId", "at", "recordJson" FROM "LogLine" WHERE "kind" = 'drops' AND "at" IS NOT NULL
           ORDER BY "at" DESC, "fileRow" DESC, "line" DESC LIMIT ?
         ) GROUP BY "sessionId", CAST("at" / ? AS INTEGER)
       ) d JOIN "Session" s ON s."row" = (SELECT MAX("row") FROM "Session" WHERE "sessionId" = d."sessionId")
       ORDER BY d."at" DESC LIMIT ?`,
    [NEWEST_LINES, MINUTE, limit],
  )
  return rowsOf(DROPS, answer)
}

/** When a drop was logged last; null when none was. Milliseconds since the epoch. */
export function newestDrop({ connection }: Pick<Database, 'connection'>): number | null {
  return (
    rowOf(NEWEST, connection.run(`SELECT MAX("at") AS "at" FROM "LogLine" WHERE "kind" = 'drops'`))?.at ??
    null
  )
}
