import type { Milliseconds } from '../../core/units/units'
import { describeOwner, Refused } from '../write/refusal'
import type { Writer } from '../write/write-ports'
import type { WaitOptions } from '../write/write-requests'
import type { JobContext } from './job-ports'

/** Looking, locking, backing up, writing aside, putting in place. */
export const WRITE_STEPS = 5

/**
 * The writer, telling a job how far it is and under which receipt it writes. A job that is cancelled stops between two
 * backups and before the first file of the store changes; after that, all of the change is applied.
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
      acquire: (file, options) => {
        at(1, `Taking the lock of ${files.nameOf(file)}`)
        return locks.acquire(file, options)
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
      placeOf: (hash) => backups.placeOf(hash),
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
      read: (id) => receipts.read(id),
      forget: (id) => receipts.forget(id),
      ids: () => receipts.ids(),
      open: () => receipts.open(),
    },
  }
}

/** Waits for locks like a person who can see what is waited for, and change his mind. @param waitMs milliseconds */
export function reportedWait({ signal, report }: JobContext, waitMs: Milliseconds): WaitOptions {
  return {
    waitMs,
    signal,
    onWait: (owner) => report({ done: 1, of: WRITE_STEPS, doing: `Waiting for ${describeOwner(owner)}` }),
  }
}
