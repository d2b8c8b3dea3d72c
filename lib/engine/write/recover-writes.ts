import { reasonOf } from '../../core/words/reason-of'
import { happened, verifySteps } from './commit-steps'
import { finishReceipt } from './finish-receipt'
import type { HeldLock } from './lock-ports'
import { settleOutside } from './outside-receipt'
import { demandProved, type UnsignedLeave } from './proved-receipt'
import type { FileChange, Receipt } from './receipt'
import { describeOwner, Refused } from './refusal'
import { needsRollBack, rollBack } from './roll-back'
import type { Writer } from './write-ports'

/** What became of the writes that had not ended. */
export type RecoveryReport = {
  readonly settled: readonly Receipt[]
  /** Those that could not be examined yet, and why. */
  readonly waiting: readonly { readonly receipt: string; readonly why: string }[]
  /** Those that do not prove themselves, in sentences; nothing was done for their sake. */
  readonly leftAlone: readonly string[]
}

/**
 * Finishes what a crash interrupted: looks at the files, says in the receipt whether the write happened, puts half-done
 * changes of several files back, and removes what is left of ours. A write that another process is busy with is left
 * alone: it has its locks. Never throws for one receipt's sake.
 */
export async function recoverWrites(writer: Writer): Promise<RecoveryReport> {
  const settled: Receipt[] = []
  const waiting: { receipt: string; why: string }[] = []
  const leftAlone: string[] = []
  for (const id of await writer.receipts.open()) {
    try {
      const result = await recoverWrite(writer, id, null)
      if (typeof result === 'string') waiting.push({ receipt: id, why: result })
      else if (result !== null) settled.push(result)
    } catch (error) {
      if (error instanceof Refused && error.refusal.code === 'not-proved') leftAlone.push(error.message)
      else waiting.push({ receipt: id, why: reasonOf(error) })
    }
  }
  return { settled, waiting, leftAlone }
}

/**
 * The receipt as it ended, why it has to wait, or null when it has ended meanwhile.
 * @throws Refused when the receipt does not prove itself
 */
export async function recoverWrite(
  writer: Writer,
  id: string,
  leave: UnsignedLeave | null,
): Promise<Receipt | string | null> {
  const begun = await soundReceipt(writer, id, leave)
  if (begun === null) return null
  if (begun.by === 'openclaw') return settleOutside(writer, begun)
  const holds: HeldLock[] = []
  try {
    for (const path of begun.files.map((file) => file.path).sort()) {
      // Its folder may have gone, and a lock cannot be made in it then.
      if ((await writer.files.stat(writer.files.folderOf(path))) === null) continue
      const taken = await writer.locks.acquire(path, { waitMs: 0 })
      if (!taken.held) {
        if (taken.reason === 'busy') return `${path} is locked by ${describeOwner(taken.owner)}`
        return taken.reason === 'failed' ? taken.problem : 'stopped'
      }
      holds.push(taken.lock)
    }
    // Read again under the locks: its own process may have ended it while we waited.
    const receipt = await soundReceipt(writer, id, leave)
    if (receipt?.state === 'preparing') return await dismiss(writer, receipt)
    if (receipt?.state === 'pending') return await judge(writer, receipt)
    return null
  } finally {
    for (const hold of holds.reverse()) await hold.release()
  }
}

/** null when there is none. @throws Refused */
async function soundReceipt(
  writer: Writer,
  id: string,
  leave: UnsignedLeave | null,
): Promise<Receipt | null> {
  const read = await writer.receipts.read(id)
  if (read === null) return null
  await demandProved(writer, read, leave)
  await demandSameFolders(writer, read.receipt)
  return read.receipt
}

/** A folder on the way to a file may have been replaced by a link since. @throws Refused */
async function demandSameFolders({ files }: Writer, { id, files: changes }: Receipt): Promise<void> {
  for (const folder of new Set(changes.map(({ path }) => files.folderOf(path)))) {
    if ((await files.stat(folder)) === null) continue
    const real = await files.realPath(folder)
    if (real !== folder)
      throw new Refused(
        'not-proved',
        `The receipt ${id} names files in ${folder}, which leads to ${real} now. Nothing was changed, and it is left as it is.`,
      )
  }
}

async function dismiss(writer: Writer, receipt: Receipt): Promise<Receipt> {
  const problem = 'It was interrupted while it was being prepared; no file of the store was changed.'
  return (await finishReceipt(writer, { ...receipt, state: 'failed', problem })).receipt
}

async function judge(writer: Writer, receipt: Receipt): Promise<Receipt | string> {
  if (await allHappened(writer, receipt.files)) {
    const files = await verifySteps(writer, receipt.files)
    for (const folder of new Set(files.map(({ path }) => writer.files.folderOf(path)))) {
      if ((await writer.files.stat(folder)) !== null) await writer.files.syncFolder(folder)
    }
    return (await finishReceipt(writer, { ...receipt, files })).receipt
  }
  if (await needsRollBack(writer, receipt.files, receipt.id)) {
    for (const { path: file } of receipt.files) {
      const owner = await writer.live.find({ file, root: receipt.root, kind: receipt.store })
      if (owner !== null) return `${file} is in use by ${describeOwner(owner)}`
    }
  }
  const left = await rollBack(writer, receipt.files, receipt.id, false)
  const problem = [
    left.length === 0
      ? 'It was interrupted before it was complete; every file is as it was before.'
      : 'It was interrupted before it was complete.',
    ...left,
  ].join(' ')
  return (await finishReceipt(writer, { ...receipt, state: 'failed', problem })).receipt
}

async function allHappened(writer: Writer, changes: readonly FileChange[]): Promise<boolean> {
  for (const change of changes) if (!(await happened(writer, change))) return false
  return true
}
