import type { Database } from '../client'
import { rowsOf } from '../rows'
import { type SessionSummaryRow, SUMMARY, SUMMARY_COLUMNS, summaryOf } from './session-summary'

/** Live sessions with at least one call, newest first: what to show when none was active lately. */
export function findLatestSessions(
  { connection }: Pick<Database, 'connection'>,
  limit: number,
): readonly SessionSummaryRow[] {
  const answer = connection.run(
    `SELECT ${SUMMARY_COLUMNS} FROM "Session" s JOIN "Store" t ON t."id" = s."storeId"
     WHERE s."state" = 'live' AND s."calls" > 0
     ORDER BY s."updatedAt" IS NULL, s."updatedAt" DESC LIMIT ?`,
    [limit],
  )
  return rowsOf(SUMMARY, answer).map(summaryOf)
}
