import * as z from 'zod'
import type { Database } from '../client'
import { Prisma } from '../generated/client'
import { rowsOf } from '../rows'

/**
 * Transcripts `a` and `b` of one session: the same runtime's id, store and agent. `IS` because an agent may be unknown.
 */
const sameSession = (a: string, b: string): string =>
  `${a}."sessionId" = ${b}."sessionId" AND ${a}."storeId" = ${b}."storeId" AND ${a}."agent" IS ${b}."agent"`

/** The transcript that the runtime writes comes first, then those that are there, then those that are gone. */
const rank = (t: string): string => `CASE ${t}."state" WHEN 'live' THEN 2 WHEN 'gone' THEN 0 ELSE 1 END`

const order = (t: string): string => `(${rank(t)}, COALESCE(${t}."updatedAt", 0), ${t}."row")`

/**
 * Whether transcript `s` is a copy: an archive, backup or checkpoint of a session that another transcript represents.
 * The live transcript represents its session, else the newest one. `among` restricts which others are examined.
 */
export const IS_COPY = (among = ''): string =>
  `(s."state" <> 'live' AND EXISTS (SELECT 1 FROM "Session" h WHERE ${sameSession('h', 's')}
     AND ${order('h')} > ${order('s')}${among}))`

/**
 * Transcript `s` can repeat the calls of its session. Word for word the condition of the index on such transcripts
 * (prisma/migrations/sqlite/0013_repeating_transcripts): only so it is used.
 */
const CAN_REPEAT = `s."state" IN ('backup', 'checkpoint', 'imported', 'gone')`

/** Rows of copies that hold the calls of their session a second time: sums leave them out. */
export const REPEATING_ROWS = `SELECT s."row" FROM "Session" s WHERE ${CAN_REPEAT} AND ${IS_COPY()}`

/** The runtimes' ids of sessions with a transcript that can repeat the calls of another one. */
export const REPEATED_SESSIONS = `SELECT s."sessionId" FROM "Session" s WHERE ${CAN_REPEAT}`

/** How many copies transcript `s` has beside it. */
export const COPY_COUNT = Prisma.raw(
  `(SELECT COUNT(*) FROM "Session" h WHERE ${sameSession('h', 's')} AND h."state" <> 'live' AND h."row" <> s."row")`,
)

/** Transcript `s` belongs to the session of the transcript with this public id. */
export function isOfSession(id: string): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT 1 FROM "Session" h WHERE h."id" = ${id} AND ${Prisma.raw(sameSession('h', 's'))})`
}

/** What else there is of the session of a transcript. */
export type SessionCopies = {
  /** Public id of the transcript that represents the session; null when this one does. */
  readonly head: string | null
  /** All copies of the session, this one counted when it is a copy. */
  readonly copies: number
}

const COPY = z.object({ row: z.number(), id: z.string(), state: z.string() })

export function findCopies({ connection }: Pick<Database, 'connection'>, row: number): SessionCopies {
  const answer = connection.run(
    `SELECT h."row", h."id", h."state" FROM "Session" s JOIN "Session" h ON ${sameSession('h', 's')}
     WHERE s."row" = ? ORDER BY ${rank('h')} DESC, COALESCE(h."updatedAt", 0) DESC, h."row" DESC`,
    [row],
  )
  const all = rowsOf(COPY, answer)
  const [first] = all
  const itself = all.find((other) => other.row === row)
  const heads = all.filter(({ state }, index) => index === 0 || state === 'live').length
  const standsAlone =
    first === undefined || itself === undefined || first.row === row || itself.state === 'live'
  return { head: standsAlone ? null : first.id, copies: all.length - heads }
}
