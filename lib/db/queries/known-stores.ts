import * as z from 'zod'
import { SENDERS } from '../../core/transcript/send-rules'
import type { FoundStore } from '../../engine/read/ports'
import type { Database } from '../client'
import { rowsOf } from '../rows'
import { STORE_STATE } from '../store-state'

const STORE = z.object({
  id: z.string(),
  kind: z.enum(SENDERS),
  era: z.enum(['jsonl', 'sqlite']),
  root: z.string(),
  label: z.string(),
  state: STORE_STATE,
})

/** Every store that was ever found, as it was found last. */
export function findKnownStores({ connection }: Pick<Database, 'connection'>): FoundStore[] {
  return rowsOf(
    STORE,
    connection.run(
      'SELECT "id", "kind", "era", "root", "label", "state" FROM "Store" ORDER BY "label", "root", "era"',
    ),
  )
}
