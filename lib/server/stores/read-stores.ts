import 'server-only'
import { askForRescan, ingestOnce, writeDemo } from '../../compose/open'
import type { DoneAnswer } from '../../view/actions/action-answer'
import { formatQuantity } from '../../view/text/format'
import { getSetup } from '../process/setup'

/** Looks for stores and reads what is new, now. Says so when nothing was, or when another process is at it already. */
async function readStoresNow(): Promise<DoneAnswer> {
  const setup = getSetup()
  const outcome = await ingestOnce(setup, process.env)
  if (!outcome.ok && outcome.reason === 'held') {
    await askForRescan(setup.environment)
    return { kind: 'done', message: 'Looking at every store now; what is new shows here by itself.' }
  }
  if (!outcome.ok) return { kind: 'refused', problem: outcome.message }
  const { stores, entries, changed } = outcome.report
  const looked = formatQuantity(stores.length, 'store')
  if (changed.length === 0) return { kind: 'done', message: `Looked at ${looked}: nothing has changed.` }
  return {
    kind: 'done',
    message: `Read ${formatQuantity(entries, 'new entry', 'new entries')} in ${formatQuantity(changed.length, 'session')} of ${looked}.`,
  }
}

/** Makes the demo store, unless it is there, and reads it. */
export async function makeDemo(): Promise<DoneAnswer> {
  await writeDemo(getSetup().environment)
  const read = await readStoresNow()
  const ready = 'The demo store is ready.'
  return read.kind === 'done'
    ? { kind: 'done', message: `${ready} ${read.message}` }
    : { kind: 'refused', problem: `${ready} ${read.problem}` }
}
