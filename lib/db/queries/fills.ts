import * as z from 'zod'
import { append } from '../../core/lists/long-lists'
import { readParts, readTotals, readWindows } from '../call-blocks'
import type { Database } from '../client'
import { rowsOf } from '../rows'
import { REPEATING_ROWS } from './copies'

/** A session that has calls, and the revision of what is stored about it. */
export type FillSession = { readonly row: number; readonly revision: number }

const SESSION = z.object({ row: z.number(), revision: z.number() })
const BLOCK = z.object({
  sessionRow: z.number(),
  totalsJson: z.string(),
  windowsJson: z.string(),
  callsJson: z.string(),
})

/** All sessions with calls, copies left out. Ascending by row. */
export function readFillSessions({ connection }: Pick<Database, 'connection'>): FillSession[] {
  const answer = connection.run(
    `SELECT "row", "revision" FROM "Session" WHERE "calls" > 0 AND "row" NOT IN (${REPEATING_ROWS}) ORDER BY "row"`,
  )
  return rowsOf(SESSION, answer)
}

/** The calls of one session in order: tokens sent (null: unknown), the window they were sent into, and their parts. */
export type SessionFills = {
  readonly row: number
  readonly totals: readonly (number | null)[]
  readonly windows: readonly number[]
  /** What was in each, in the order of CATEGORIES, and its answer. */
  readonly parts: ReturnType<typeof readParts>
}

/** Fills of the sessions whose rows lie between `first` and `last`, both included. */
export function readSessionFills(
  { connection }: Pick<Database, 'connection'>,
  { first, last }: { first: number; last: number },
): SessionFills[] {
  const answer = connection.run(
    `SELECT "sessionRow", "totalsJson", "windowsJson", "callsJson" FROM "CallBlock" WHERE "sessionRow" BETWEEN ? AND ?
     ORDER BY "sessionRow", "firstN"`,
    [first, last],
  )
  const fills = new Map<
    number,
    { totals: (number | null)[]; windows: number[]; parts: SessionFills['parts'] }
  >()
  for (const { sessionRow, totalsJson, windowsJson, callsJson } of rowsOf(BLOCK, answer)) {
    const fill = fills.get(sessionRow) ?? { totals: [], windows: [], parts: [] }
    append(fill.totals, readTotals(totalsJson))
    append(fill.windows, readWindows(windowsJson))
    append(fill.parts, readParts(callsJson))
    fills.set(sessionRow, fill)
  }
  return [...fills].map(([row, fill]) => ({ row, ...fill }))
}
