import type { Receipt } from './receipt'
import type { Receipts } from './write-ports'

/** So many of the newest receipts are looked through; what is older has been compacted again since. */
const NEWEST = 500

/**
 * Compactions whose summary is a digest because no model answered, oldest first (D25): done, not taken back, and not
 * filled since. Receipts that say nothing of that are read once.
 */
export class PendingSummaries {
  private readonly passed = new Set<string>()

  constructor(private readonly receipts: Pick<Receipts, 'ids' | 'get'>) {}

  async list(): Promise<Receipt[]> {
    const filled = new Set<string>()
    const pending: Receipt[] = []
    for (const id of (await this.receipts.ids()).slice(0, NEWEST)) {
      if (this.passed.has(id)) continue
      const receipt = await this.receipts.get(id).catch(() => null)
      if (receipt === null) continue
      const { fills, pending: waits } = receipt.summary
      if (typeof fills === 'string' && receipt.state === 'done') filled.add(fills)
      else if (waits === true && receipt.state === 'done') pending.push(receipt)
      else if (waits !== true && receipt.state === 'done' && typeof fills !== 'string') this.passed.add(id)
    }
    return pending.filter(({ id }) => !filled.has(id)).reverse()
  }
}
