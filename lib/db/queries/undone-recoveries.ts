import * as z from 'zod'
import { receiptShape } from '../../engine/write/receipt-shape'
import type { Database } from '../client'
import { json, rowsOf } from '../rows'

/** A recovery that was taken back; `session` as the runtime calls it, null when unknown. */
export type UndoneRecoveryRow = { readonly session: string | null; readonly at: number }

const ROW = z.object({ receipt: json(receiptShape), at: z.number() })

/** When recoveries of a chunk were taken back. */
export function findUndoneRecoveries(
  { connection }: Pick<Database, 'connection'>,
  chunkId: string,
): readonly UndoneRecoveryRow[] {
  const answer = connection.run(
    `SELECT r."receiptJson" AS "receipt", u."at" FROM "AuditEntry" r JOIN "AuditEntry" u ON u."id" = r."undoneBy"
     WHERE r."kind" = 'recover' AND instr(r."receiptJson", json_quote(?)) > 0`,
    [chunkId],
  )
  return rowsOf(ROW, answer).flatMap(({ receipt: { summary }, at }) => {
    if (summary.chunk !== chunkId) return []
    const { session } = summary
    return [{ session: typeof session === 'string' ? session : null, at }]
  })
}
