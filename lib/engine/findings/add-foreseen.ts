import { MEASURE_NAMES } from '../../core/findings/effect/measures'
import type { Foreseen } from '../../core/findings/remedies/foreseen'
import type { Receipt } from '../write/receipt'
import type { ReadReceipt, Writer } from '../write/write-ports'
import type { WaitOptions } from '../write/write-requests'
import { promisedIn, promiseSummary } from './promised-effect'

/**
 * Adds what a replay foresaw to the receipt of a setting that was written before the replay had ended. The file of the
 * setting is locked meanwhile, so that no undo of it ends between the reading of the receipt and its writing.
 * @returns false: there is no such receipt, it does not prove itself, it says what was foreseen already, or the file stays
 * locked by another owner; nothing was written
 */
export async function addForeseen(
  writer: Writer,
  id: string,
  foreseen: Foreseen,
  wait: Pick<WaitOptions, 'waitMs' | 'onWait' | 'signal'>,
): Promise<boolean> {
  const file = openTo(await writer.receipts.read(id))?.files[0]?.path
  if (file === undefined) return false
  const taken = await writer.locks.acquire(file, wait)
  if (!taken.held) return false
  try {
    const receipt = openTo(await writer.receipts.read(id))
    if (receipt === null) return false
    const measure = MEASURE_NAMES.find((name) => name === receipt.summary.measure) ?? null
    const summary = { ...receipt.summary, ...promiseSummary(measure, foreseen, null) }
    await writer.receipts.put({ ...receipt, summary })
    await writer.rows.put([{ ...receipt, summary }])
    return true
  } finally {
    await taken.lock.release()
  }
}

/** The receipt of a setting that says nothing yet of what was foreseen; null: it is none. */
function openTo(read: ReadReceipt | null): Receipt | null {
  if (read === null || read.proof.kind !== 'proved') return null
  const { kind, state, summary } = read.receipt
  const isWritten = kind === 'setting' && (state === 'done' || state === 'undone')
  return isWritten && promisedIn(summary) === null ? read.receipt : null
}
