import { reasonOf } from '../../core/words/reason-of'
import { unlinkIfThere } from './file-state'
import type { Receipt } from './receipt'
import { temporaryPath } from './temporary-path'
import type { Writer } from './write-ports'

/** An open receipt is finished, the table is filled from the receipts, and the stores are read again. */
const AT_NEXT_START = 'it is made up for at the next start.'
/** A line is chained to the one before it, so that none is put in later. */
const NEVER = '"plimsoll audit --verify" will name this write as one without a line.'

/**
 * Ends a write: what is left of its temporary files goes, then the log (a line too many is better than one too few),
 * then the receipt that was taken back, then the receipt itself, the row and the message to the reader of the stores.
 * By then the files are what they are, so a fault here is a note and not a failure.
 * @param receipt `pending`: its changes are done and verified; `failed`: with its problem
 * @returns the receipt as it ended, and what could not be written down, in sentences
 */
export async function finishReceipt(
  writer: Writer,
  receipt: Receipt,
): Promise<{ readonly receipt: Receipt; readonly notes: readonly string[] }> {
  const notes: string[] = []
  const attempt = async (what: string, work: () => Promise<void>, later = AT_NEXT_START) => {
    try {
      await work()
    } catch (error) {
      notes.push(`${what} could not be written (${reasonOf(error)}); ${later}`)
    }
  }
  const done = receipt.state !== 'failed'
  const ended: Receipt = done ? { ...receipt, state: 'done', verified: true } : receipt
  const rows: Receipt[] = [ended]
  for (const { path } of receipt.files) {
    const temporary = temporaryPath(writer.files, path, receipt.id)
    try {
      // Flushed before the receipt ends: afterwards nothing would look for it.
      if (await unlinkIfThere(writer.files, temporary))
        await writer.files.syncFolder(writer.files.folderOf(path))
    } catch (error) {
      notes.push(`${temporary} is left over and could not be removed: ${reasonOf(error)}`)
    }
  }
  await attempt('The line of the audit log', () => writer.log.add(ended), NEVER)
  await attempt('The receipt', async () => {
    const original = done && ended.undoes !== null ? await writer.receipts.read(ended.undoes) : null
    // One that was put in its place meanwhile is not signed for its sake.
    if (original !== null && original.proof.kind !== 'not-proved') {
      const undone: Receipt = { ...original.receipt, state: 'undone', undoneBy: ended.id }
      await writer.receipts.put(undone)
      rows.push(undone)
    }
    await writer.receipts.put(ended)
  })
  await attempt('The row of the audit table', () => writer.rows.put(rows))
  if (done) {
    await attempt('The word to who reads the stores', () =>
      writer.onWritten(ended.files.map(({ path }) => path)),
    )
  }
  return { receipt: ended, notes }
}
