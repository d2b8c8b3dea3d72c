import type { Database } from '../client'
import { Prisma } from '../generated/client'
import { FILL_SHARE } from './fill-expression'
import { type SessionSummary, SUMMARY_COLUMNS, type SummaryRecord, summaryOf } from './session-summary'

/**
 * Live sessions that changed at or after `since` (milliseconds), fullest against their effective budget first; those of
 * unknown fill last. `total` counts all of them, not only the `limit` listed.
 */
export async function findNearestSessions(
  { prisma }: Pick<Database, 'prisma'>,
  { since, limit }: { since: number; limit: number },
): Promise<{ readonly sessions: readonly SessionSummary[]; readonly total: number }> {
  const where = Prisma.sql`s."state" = 'live' AND s."calls" > 0 AND s."updatedAt" >= ${new Date(since)}`
  const [records, counted] = await Promise.all([
    prisma.$queryRaw<SummaryRecord[]>`
      SELECT ${SUMMARY_COLUMNS} FROM "Session" s JOIN "Store" t ON t."id" = s."storeId" WHERE ${where}
      ORDER BY ${FILL_SHARE} IS NULL, ${FILL_SHARE} DESC, s."updatedAt" DESC LIMIT ${limit}`,
    prisma.$queryRaw<{ n: number | bigint }[]>`SELECT COUNT(*) AS n FROM "Session" s WHERE ${where}`,
  ])
  return { sessions: records.map(summaryOf), total: Number(counted[0]?.n ?? 0) }
}

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
