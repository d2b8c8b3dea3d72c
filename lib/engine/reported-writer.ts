import type { JobContext } from './job-ports'
import { describeOwner, Refused } from './refusal'
import type { Writer } from './write-ports'
import type { WaitOptions } from './write-requests'

/** Looking, locking, backing up, writing aside, putting in place. */
export const WRITE_STEPS = 5

/**
 * The writer, telling a job how far it is and under which receipt it writes. A job that is cancelled stops between two
 * backups and before the first file of the store changes; after that, all of the change is carried out.
 */
export function reportedWriter(writer: Writer, { signal, report, underReceipt }: JobContext): Writer {
  const { locks, backups, receipts, files } = writer
  const at = (done: number, doing: string) => report({ done, of: WRITE_STEPS, doing })
  const goOn = () => {
    if (signal.aborted) throw new Refused('stopped', 'Stopped before anything was changed.')
  }
  let copies = 0
  return {
    ...writer,
    locks: {
      owner: (file) => locks.owner(file),
      take: (file, options) => {
        at(1, `Taking the lock of ${files.nameOf(file)}`)
        return locks.take(file, options)
      },
    },
    backups: {
      keep: (file, hash, size) => {
        goOn()
        copies += 1
        at(2, `Keeping a copy of ${files.nameOf(file)} (${copies})`)
        return backups.keep(file, hash, size)
      },
      check: (backup, hash) => backups.check(backup, hash),
    },
    receipts: {
      put: async (receipt) => {
        if (receipt.state === 'preparing') {
          await underReceipt(receipt.id)
          at(3, 'Writing beside the old files')
        } else if (receipt.state === 'pending') {
          goOn()
          at(4, 'Putting the new files in place and reading them again')
        }
        await receipts.put(receipt)
      },
      get: (id) => receipts.get(id),
      forget: (id) => receipts.forget(id),
      ids: () => receipts.ids(),
      open: () => receipts.open(),
    },
  }
}

/** Waits for locks like somebody who can see whom it waits for, and change his mind. @param waitMs milliseconds */
export function reportedWait({ signal, report }: JobContext, waitMs: number): WaitOptions {
  return {
    waitMs,
    signal,
    onWait: (owner) => report({ done: 1, of: WRITE_STEPS, doing: `Waiting for ${describeOwner(owner)}` }),
  }
}
