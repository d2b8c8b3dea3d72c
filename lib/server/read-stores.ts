import 'server-only'
import { formatQuantity } from '../view/format'
import { ingestOnce, lookAgain, writeDemo } from '../wire'
import { getSetup } from './setup'

/** What became of a request to read; the message is for the reader. */
export type ReadingResult = { readonly ok: boolean; readonly message: string }

/** Looks for stores and reads what is new, now. Says so when nothing was, or when another process is at it already. */
async function readStoresNow(): Promise<ReadingResult> {
  const setup = getSetup()
  const outcome = await ingestOnce(setup, process.env)
  if (!outcome.ok && outcome.reason === 'held') {
    await lookAgain(setup.environment)
    return { ok: true, message: 'Looking at every store now; what is new shows here by itself.' }
  }
  if (!outcome.ok) return { ok: false, message: outcome.message }
  const { stores, entries, changed } = outcome.report
  const looked = formatQuantity(stores.length, 'store')
  if (changed.length === 0) return { ok: true, message: `Looked at ${looked}: nothing has changed.` }
  return {
    ok: true,
    message: `Read ${formatQuantity(entries, 'new entry', 'new entries')} in ${formatQuantity(changed.length, 'session')} of ${looked}.`,
  }
}

/** Makes the demo store, unless it is there, and reads it. */
export async function makeDemo(): Promise<ReadingResult> {
  await writeDemo(getSetup().environment)
  const read = await readStoresNow()
  return { ok: read.ok, message: `The demo store is ready. ${read.message}` }
}
