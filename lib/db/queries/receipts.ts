import * as z from 'zod'
import type { Receipt } from '../../engine/write/receipt'
import { receiptShape } from '../../engine/write/receipt-shape'
import type { Database } from '../client'
import { json, rowsOf } from '../rows'

/** A receipt, and how many are newer: where it is in the list of all. */
export type PlacedReceipt = { readonly receipt: Receipt; readonly newer: number }

const ROW = z.object({ receipt: json(receiptShape), newer: z.number() })
const SELECT =
  'SELECT "receiptJson" AS "receipt", (SELECT COUNT(*) FROM "AuditEntry" n WHERE n."id" > a."id") AS "newer" FROM "AuditEntry" a'

/** The receipts of these ids, as far as there are any. */
export function findReceipts(
  { connection }: Pick<Database, 'connection'>,
  ids: readonly string[],
): ReadonlyMap<string, PlacedReceipt> {
  const found = new Map<string, PlacedReceipt>()
  for (const id of new Set(ids)) {
    const [row] = rowsOf(ROW, connection.run(`${SELECT} WHERE a."id" = ?`, [id]))
    if (row) found.set(id, row)
  }
  return found
}

/** The receipts of one kind of write that belong to a session, by its key or id; newest first. */
export function findSessionReceipts(
  { connection }: Pick<Database, 'connection'>,
  kind: Receipt['kind'],
  session: string,
): PlacedReceipt[] {
  const sql = `${SELECT} WHERE a."kind" = ? AND a."session" = ? ORDER BY a."id" DESC`
  return rowsOf(ROW, connection.run(sql, [kind, session]))
}
