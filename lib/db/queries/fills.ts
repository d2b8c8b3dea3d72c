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

/** Fills of the sessions whose rows lie between `first` and `last`, both included. */
export function readSessionFills(
  { connection }: Pick<Database, 'connection'>,
  { first, last }: { first: number; last: number },
): SessionFills[] {
  const { rows } = connection.run(
    `SELECT "sessionRow", "totalsJson", "windowsJson" FROM "CallBlock" WHERE "sessionRow" BETWEEN ? AND ?
     ORDER BY "sessionRow", "firstN"`,
    [first, last],
  )
  const fills = new Map<number, { totals: (number | null)[]; windows: number[] }>()
  for (const [row, totalsJson, windowsJson] of rows) {
    const fill = fills.get(Number(row)) ?? { totals: [], windows: [] }
    fill.totals.push(...(JSON.parse(String(totalsJson)) as (number | null)[]))
    fill.windows.push(...(JSON.parse(String(windowsJson)) as number[]))
    fills.set(Number(row), fill)
  }
  return [...fills].map(([row, fill]) => ({ row, ...fill }))
}
