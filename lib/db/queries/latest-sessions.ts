import type { Database } from '../client'
import { type SessionSummary, SUMMARY_COLUMNS, type SummaryRecord, summaryOf } from './session-summary'

/** Live sessions with at least one call, newest first: what to show when none was active lately. */
export async function findLatestSessions(
  { prisma }: Pick<Database, 'prisma'>,
  limit: number,
): Promise<readonly SessionSummary[]> {
  const records = await prisma.$queryRaw<SummaryRecord[]>`
    SELECT ${SUMMARY_COLUMNS} FROM "Session" s JOIN "Store" t ON t."id" = s."storeId"
    WHERE s."state" = 'live' AND s."calls" > 0
    ORDER BY s."updatedAt" IS NULL, s."updatedAt" DESC LIMIT ${limit}`
  return records.map(summaryOf)
}
