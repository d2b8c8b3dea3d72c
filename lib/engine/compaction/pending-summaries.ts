import type { Receipt } from '../write/receipt'
import type { Receipts } from '../write/write-ports'

/** So many of the newest receipts are searched; what is older has been compacted again since. */
const NEWEST = 500

/**
 * Compactions whose summary is a digest because no model answered, oldest first: done, not taken back, and not
 * filled since. Receipts that say nothing of that, or of what was taken back or failed, are read once.
 */
export class PendingSummaries {
  private readonly passed = new Set<string>()

  constructor(private readonly receipts: Pick<Receipts, 'ids' | 'read'>) {}

  async list(): Promise<Receipt[]> {
    const filled = new Set<string>()
    const pending: Receipt[] = []
    for (const id of (await this.receipts.ids()).slice(0, NEWEST)) {
      if (this.passed.has(id)) continue
      const read = await this.receipts.read(id).catch(() => null)
      // What another hand may have written asks no model.
      if (read === null || read.proof.kind !== 'proved') continue
      const { receipt } = read
      const { fills, pending: waits } = receipt.summary
      if (hasEnded(receipt)) this.passed.add(id)
      // Not ended yet; it may be done the next time.
      if (receipt.state !== 'done') continue
      if (typeof fills === 'string') filled.add(fills)
      else if (waits === true) pending.push(receipt)
      else this.passed.add(id)
    }
    return pending.filter(({ id }) => !filled.has(id)).reverse()
  }
}

/** What was taken back or failed stays so; what is done may still be taken back. */
function hasEnded({ state }: Receipt): boolean {
  return state === 'undone' || state === 'failed'
}
