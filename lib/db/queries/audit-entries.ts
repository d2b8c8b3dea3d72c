import type { Receipt } from '../../engine/write/receipt'
import { receiptShape } from '../../engine/write/receipt-shape'
import type { Database } from '../client'
import { json } from '../rows'

export type AuditPage = { readonly total: number; readonly receipts: readonly Receipt[] }

const RECEIPT = json(receiptShape)

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
  return { total, receipts: rows.map(({ receiptJson }) => RECEIPT.parse(receiptJson)) }
}
