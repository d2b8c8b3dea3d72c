import type { Database } from '../client'
import type { EventSession } from './recent-events'

/** Chunks of one session that were dropped within a minute, as the logs tell. */
export type RecentDrops = EventSession & {
  /** When the last of them was dropped. Milliseconds since the epoch. */
  readonly at: number
  readonly chunks: number
  /** Of those whose size is known; null when no size is. */
  readonly tokens: number | null
}

/** Lines that are looked at. */
const NEWEST_LINES = 2_000
const MINUTE = 60_000

/** Drops by session and minute, newest first. Sessions without a transcript here are left out. */
export function findRecentDrops(
  { connection }: Pick<Database, 'connection'>,
  limit: number,
): readonly RecentDrops[] {
  const text = (value: unknown) => (value === null || value === undefined ? null : String(value))
  return connection
    .run(
      `SELECT s."id", s."sessionId", s."name", s."key", s."agent", s."channel", d."at", d."chunks", d."tokens"
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
    .rows.map(([id, sessionId, name, key, agent, channel, at, chunks, tokens]) => ({
      ...{ id: String(id), sessionId: String(sessionId), name: text(name), key: text(key) },
      ...{ agent: text(agent), channel: text(channel), at: Number(at), chunks: Number(chunks) },
      tokens: tokens === null || tokens === undefined ? null : Number(tokens),
    }))
}

/** When a drop was logged last; null when none was. Milliseconds since the epoch. */
export function newestDrop({ connection }: Pick<Database, 'connection'>): number | null {
  const { rows } = connection.run(`SELECT MAX("at") FROM "LogLine" WHERE "kind" = 'drops'`)
  return rows[0]?.[0] == null ? null : Number(rows[0][0])
}
