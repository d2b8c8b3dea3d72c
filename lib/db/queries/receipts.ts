import type { Receipt } from '../../engine/receipt'
import type { Database } from '../client'

/** A receipt, and how many are newer: where it stands in the list of all. */
export type PlacedReceipt = { readonly receipt: Receipt; readonly newer: number }

/** The receipts of these ids, as far as there are any. */
export function findReceipts(
  { connection }: Pick<Database, 'connection'>,
  ids: readonly string[],
): ReadonlyMap<string, PlacedReceipt> {
  const found = new Map<string, PlacedReceipt>()
  for (const id of new Set(ids)) {
    const [row] = connection.run(
      'SELECT "receiptJson", (SELECT COUNT(*) FROM "AuditEntry" n WHERE n."id" > a."id") FROM "AuditEntry" a WHERE a."id" = ?',
      [id],
    ).rows
    // Written by us from a receipt that was checked when it was read.
    if (row) found.set(id, { receipt: JSON.parse(String(row[0])) as Receipt, newer: Number(row[1]) })
  }
  return found
}

/** The receipts of one kind of write that belong to a session, by its key or id; newest first. */
export function findSessionReceipts(
  { connection }: Pick<Database, 'connection'>,
  kind: Receipt['kind'],
  session: string,
): PlacedReceipt[] {
  const { rows } = connection.run(
    'SELECT "receiptJson", (SELECT COUNT(*) FROM "AuditEntry" n WHERE n."id" > a."id") FROM "AuditEntry" a WHERE a."kind" = ? AND a."session" = ? ORDER BY a."id" DESC',
    [kind, session],
  )
  return rows.map((row) => ({ receipt: JSON.parse(String(row[0])) as Receipt, newer: Number(row[1]) }))
}
