import type { Database } from '../client'

/** Sessions whose calls stand a second time in another transcript: copies that a runtime made of its own. */
const COPIES = "('backup', 'checkpoint', 'imported')"

/** A session that has calls, and the revision of what is stored about it. */
export type FillSession = { readonly row: number; readonly revision: number }

/** All sessions with calls, copies left out. Ascending by row. */
export function readFillSessions({ connection }: Pick<Database, 'connection'>): FillSession[] {
  return connection
    .run(
      `SELECT "row", "revision" FROM "Session" WHERE "calls" > 0 AND "state" NOT IN ${COPIES} ORDER BY "row"`,
    )
    .rows.map(([row, revision]) => ({ row: Number(row), revision: Number(revision) }))
}

/** The calls of one session in order: tokens sent (null: nobody knows) and the window they were sent into. */
export type SessionFills = {
  readonly row: number
  readonly totals: readonly (number | null)[]
  readonly windows: readonly number[]
}

/**
 * Fills of the sessions whose rows lie between `first` and `last`, both included. Comes as one JSON text per session,
 * which is several times faster than one row per call (0.4 s for 1,000,000 calls of 10,000 sessions).
 */
export function readSessionFills(
  { connection }: Pick<Database, 'connection'>,
  { first, last }: { first: number; last: number },
): SessionFills[] {
  const { rows } = connection.run(
    `SELECT "sessionRow", json_group_array("total"), json_group_array("window")
     FROM (SELECT "sessionRow", "total", "window" FROM "Call" WHERE "sessionRow" BETWEEN ? AND ?
           ORDER BY "sessionRow", "n")
     GROUP BY "sessionRow"`,
    [first, last],
  )
  return rows.map(([row, totals, windows]) => ({
    row: Number(row),
    totals: JSON.parse(String(totals)),
    windows: JSON.parse(String(windows)),
  }))
}
