import * as z from 'zod'
import type { Milliseconds } from '../../core/units/units'
import type { Database } from '../client'
import { figureOf, rowsOf } from '../rows'

/** When a store was read last, in milliseconds; null before the first time. */
export type StoreRead = { readonly id: string; readonly lastReadAt: Milliseconds | null }

const READ = z.object({ id: z.string(), lastReadAt: z.number().nullable() })

/** The stores that can be read, and how many sessions have changed after a revision. */
export function findStoreReads(
  { connection }: Pick<Database, 'connection'>,
  revision: number,
): { readonly stores: readonly StoreRead[]; readonly changed: number } {
  const stores = connection.run(
    'SELECT "id", "lastReadAt" FROM "Store" WHERE "state" IN (\'ok\', \'empty\') ORDER BY "id"',
  )
  const changed = connection.run('SELECT COUNT(*) AS n FROM "Session" WHERE "revision" > ?', [revision])
  return { stores: rowsOf(READ, stores), changed: figureOf(changed) }
}
