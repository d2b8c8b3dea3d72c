import { unlinkIfThere } from './file-state'
import type { Receipt } from './receipt'
import { temporaryPath } from './temporary-path'
import type { Writer } from './write-ports'

/**
 * Ends a write: what is left of its temporary files goes, then the log (a line too many is better than one too few), then the receipt that was taken back, then
 * the receipt itself, the row and the word to whoever reads the stores. By then the files are what they are, so a fault
 * here is a note and not a failure.
 * @param receipt `pending`: its changes are done and verified; `failed`: with its problem
 * @returns the receipt as it ended, and what could not be written down, in sentences
 */
export async function finishReceipt(
  writer: Writer,
  receipt: Receipt,
): Promise<{ readonly receipt: Receipt; readonly notes: readonly string[] }> {
  const notes: string[] = []
  const attempt = async (what: string, work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      notes.push(`${what} could not be written (${messageOf(error)}); it is made up for at the next start.`)
    }
  }
  const done = receipt.state !== 'failed'
  const ended: Receipt = done ? { ...receipt, state: 'done', verified: true } : receipt
  const rows: Receipt[] = [ended]
  for (const { path } of receipt.files) {
    const temporary = temporaryPath(writer.files, path, receipt.id)
    try {
      // Flushed before the receipt ends: afterwards nobody would look for it.
      if (await unlinkIfThere(writer.files, temporary))
        await writer.files.syncFolder(writer.files.folderOf(path))
    } catch (error) {
      notes.push(`${temporary} is left over and could not be removed: ${messageOf(error)}`)
    }
  }
  await attempt('The line of the audit log', () => writer.log.add(ended))
  await attempt('The receipt', async () => {
    const original = done && ended.undoes !== null ? await writer.receipts.get(ended.undoes) : null
    if (original !== null) {
      const undone: Receipt = { ...original, state: 'undone', undoneBy: ended.id }
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
