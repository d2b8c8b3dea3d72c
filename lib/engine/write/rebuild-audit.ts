import { reasonOf } from '../../core/words/reason-of'
import type { Receipt } from './receipt'
import type { Writer } from './write-ports'

/** Receipts that go into the table at once. */
const BATCH = 200

/**
 * Makes the audit table agree with the receipts, which outlive the database.
 * @returns receipts that cannot be understood, with the reason
 */
export async function rebuildAudit({ receipts, rows }: Pick<Writer, 'receipts' | 'rows'>): Promise<string[]> {
  const problems: string[] = []
  let batch: Receipt[] = []
  const flush = async () => {
    if (batch.length > 0) await rows.put(batch)
    batch = []
  }
  for (const id of await receipts.ids()) {
    try {
      const receipt = await receipts.get(id)
      if (receipt !== null) batch.push(receipt)
    } catch (error) {
      problems.push(reasonOf(error))
    }
    if (batch.length >= BATCH) await flush()
  }
  await flush()
  return problems
}
