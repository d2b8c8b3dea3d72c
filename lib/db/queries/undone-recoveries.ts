import type { Receipt } from '../../engine/receipt'
import type { Database } from '../client'

/** A recovery that was taken back; `session` as the runtime calls it, null when nobody knows. */
export type UndoneRecovery = { readonly session: string | null; readonly at: number }

/** When recoveries of a chunk were taken back. */
export function findUndoneRecoveries(
  { connection }: Pick<Database, 'connection'>,
  chunkId: string,
): readonly UndoneRecovery[] {
  return connection
    .run(
      `SELECT r."receiptJson", u."at" FROM "AuditEntry" r JOIN "AuditEntry" u ON u."id" = r."undoneBy"
       WHERE r."kind" = 'recover' AND instr(r."receiptJson", json_quote(?)) > 0`,
      [chunkId],
    )
    .rows.flatMap(([json, at]) => {
      // Written by us from a receipt that was checked when it was read.
      const { summary } = JSON.parse(String(json)) as Receipt
      const session = summary.session
      if (summary.chunk !== chunkId) return []
      return [{ session: typeof session === 'string' ? session : null, at: Number(at) }]
    })
}
