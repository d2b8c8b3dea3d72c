import type { Receipt } from '../../engine/receipt'
import type { Database } from '../client'

export type AuditPage = { readonly total: number; readonly receipts: readonly Receipt[] }

/** Writes to stores, newest first: `limit` of them after the first `skip`. */
export async function findAuditPage(
  { prisma }: Pick<Database, 'prisma'>,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): Promise<AuditPage> {
  const [total, rows] = await Promise.all([
    prisma.auditEntry.count(),
    prisma.auditEntry.findMany({
      orderBy: { id: 'desc' },
      skip,
      take: limit,
      select: { receiptJson: true },
    }),
  ])
  // Written by us from a receipt that was checked when it was read.
  return { total, receipts: rows.map(({ receiptJson }) => JSON.parse(receiptJson) as Receipt) }
}
