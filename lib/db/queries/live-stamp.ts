import * as z from 'zod'
import type { Database } from '../client'
import { figureOf, rowsOf } from '../rows'

/** What an open page compares to see whether anything has changed. */
export type LiveStamp = {
  /** Highest revision of any session; 0 without sessions. */
  readonly revision: number
  /** Differs when the state of a store does, or what was found in it. */
  readonly stores: string
  /** Grows with every change of the list of writes; 0 without any. */
  readonly audit: number
  /** Grows with every change of a job; 0 without any. */
  readonly jobs: number
  /** Grows with every change of a log; 0 without any. */
  readonly logs: number
}

/**
 * Look-ups that cost microseconds: five on an index, one over a handful of stores. Asked several times a second while
 * a page is open, so it goes past Prisma.
 */
export function readLiveStamp({ connection }: Pick<Database, 'connection'>): LiveStamp {
  const newest = (table: string) => figureOf(connection.run(`SELECT MAX("revision") AS n FROM "${table}"`))
  const left = connection.run(
    `SELECT CAST("value" AS INTEGER) AS n FROM "Meta" WHERE "key" = 'logs-revision'`,
  )
  const { rows } = connection.run(
    'SELECT "id", "state", "problem", "lastReadAt", "findingsRevision" FROM "Store" ORDER BY "id"',
  )
  return {
    revision: newest('Session'),
    stores: rows.map((row) => row.join(' ')).join('\n'),
    audit: newest('AuditEntry'),
    jobs: newest('Job'),
    logs: Math.max(newest('LogFile'), figureOf(left)),
  }
}

const CHANGED = z.object({ id: z.string() })

/** Ids of sessions that changed after a revision, newest first, at most `limit`. */
export function readChangedSessions(
  { connection }: Pick<Database, 'connection'>,
  { after, limit }: { after: number; limit: number },
): readonly string[] {
  const sql = 'SELECT "id" FROM "Session" WHERE "revision" > ? ORDER BY "revision" DESC LIMIT ?'
  return rowsOf(CHANGED, connection.run(sql, [after, limit])).map(({ id }) => id)
}
