import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { askForRescan, ingestOnce } from '../../compose/open'
import { readLiveStamp } from '../../db/queries/live-stamp'
import { findStoreReads, type StoreRead } from '../../db/queries/store-reads'
import type { JobContext, JobKind, JobOutcome } from '../../engine/jobs/job-ports'
import { formatCount, formatQuantity } from '../../view/text/format'
import { getDatabase } from '../process/database'
import { getSetup } from '../process/setup'

/** Looks for stores and reads what is new: here, or by the process that reads the stores already. */
export const rescanJob: JobKind<null> = {
  joins: true,
  describe: () => ({ title: 'Read every store', lane: 'stores', sessionId: null, storeId: null }),
  run: async (_, context): Promise<JobOutcome> => {
    const outcome = await ingestOnce(getSetup(), process.env, {
      signal: context.signal,
      onProgress: ({ sessions, finished, entries }) =>
        context.report({
          done: finished,
          of: sessions,
          doing: `Reading ${formatQuantity(sessions, 'session')}; ${formatQuantity(entries, 'new entry', 'new entries')} so far`,
        }),
    })
    if (outcome.ok) {
      if (context.signal.aborted)
        return { kind: 'stopped', message: 'Stopped; what was read until then is kept.' }
      const { stores, entries, changed } = outcome.report
      return {
        kind: 'done',
        message: `Read ${formatQuantity(entries, 'new entry', 'new entries')} in ${formatQuantity(changed.length, 'session')} of ${formatQuantity(stores.length, 'store')}.`,
        receipt: null,
        result: { stores: stores.length, entries, sessions: changed.length },
      }
    }
    return outcome.reason === 'held' ? followReader(context) : { kind: 'refused', message: outcome.message }
  },
}

const ASK_MS = 200
/** The reader is given up when it has not been heard of for so long. Milliseconds. */
const SILENCE_MS = 30_000
/** With no store at all, nothing tells that the reader has looked. */
const EMPTY_MS = 3_000

/** Asks the process that reads the stores to look at all of them, and waits until it has. */
async function followReader({ signal, report }: JobContext): Promise<JobOutcome> {
  const database = await getDatabase()
  const since = Date.now()
  const { revision } = readLiveStamp(database)
  await askForRescan(getSetup().environment)
  let heard = { at: since, stamp: '' }
  while (!signal.aborted) {
    const reads = findStoreReads(database, revision)
    const looked = reads.stores.filter((store) => isRead(store, since)).length
    const { length } = reads.stores
    if (length > 0 && looked === length) {
      const message =
        reads.changed === 0
          ? `Looked at ${formatQuantity(length, 'store')}: nothing has changed.`
          : `Looked at ${formatQuantity(length, 'store')}: ${formatQuantity(reads.changed, 'session')} changed.`
      return { kind: 'done', message, receipt: null, result: { stores: length, sessions: reads.changed } }
    }
    const now = Date.now()
    if (length === 0 && now - since > EMPTY_MS)
      return { kind: 'done', message: 'No store was found.', receipt: null }
    const stamp = JSON.stringify(reads)
    if (stamp !== heard.stamp) heard = { at: now, stamp }
    if (now - heard.at > SILENCE_MS) {
      return {
        kind: 'refused',
        message:
          'The process that reads the stores does not answer. It looks again by itself; "plimsoll doctor" tells more.',
      }
    }
    report({
      done: looked,
      of: length === 0 ? null : length,
      doing: `Looked at ${formatCount(looked)} of ${formatQuantity(length, 'store')}; ${formatQuantity(reads.changed, 'session')} changed so far`,
    })
    await wait(ASK_MS, undefined, { signal }).catch(() => undefined)
  }
  return { kind: 'stopped', message: 'No longer waited for; the reader of stores goes on by itself.' }
}

function isRead({ lastReadAt }: StoreRead, since: number): boolean {
  return lastReadAt !== null && lastReadAt >= since
}
