import type { Database } from '../client'

/** When a store was read last, in milliseconds; null before the first time. */
export type StoreRead = { readonly id: string; readonly lastReadAt: number | null }

/** The stores that can be read, and how many sessions have changed after a revision. */
export function findStoreReads(
  { connection }: Pick<Database, 'connection'>,
  revision: number,
): { readonly stores: readonly StoreRead[]; readonly changed: number } {
  const { rows } = connection.run(
    'SELECT "id", "lastReadAt" FROM "Store" WHERE "state" IN (\'ok\', \'empty\') ORDER BY "id"',
  )
  const [count] = connection.run('SELECT COUNT(*) FROM "Session" WHERE "revision" > ?', [revision]).rows
  return {
    stores: rows.map(([id, at]) => ({ id: String(id), lastReadAt: at === null ? null : Number(at) })),
    changed: Number(count?.[0] ?? 0),
  }
}
