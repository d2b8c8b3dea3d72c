import 'server-only'
import { openReceipts, stampAuditLog } from '../../compose/writer'
import { findCause } from '../../db/queries/finding-causes'
import { type WatchedRemedy, watchedRemedies } from '../../engine/findings/watched-remedy'
import type { AppliedRemedy } from '../../view/findings/applied-remedies'
import { getDatabase } from '../process/database'
import { oncePerProcess } from '../process/process-memory'
import { remember } from '../process/remember'
import { getSetup } from '../process/setup'

/** How often something was added to a receipt: no line of the audit log says so. */
function additions(): { count: number } {
  return oncePerProcess('receipt-additions', () => ({ count: 0 }))
}

/** Something was added to a receipt: receipts are read again. */
export function noteAddedToReceipts(): void {
  additions().count++
}

const watched = remember<'all', Promise<readonly WatchedRemedy[]>>('watched-remedies', 1)

/** Settings that were applied for findings, newest first; their receipts are read again only when something was written. */
export async function getWatchedRemedies(): Promise<readonly WatchedRemedy[]> {
  const setup = getSetup()
  return watched('all', `${stampAuditLog(setup)} ${additions().count}`, () =>
    watchedRemedies(openReceipts(setup)),
  )
}

/** The same, each with the cause of its finding. */
export async function getAppliedRemedies(): Promise<readonly AppliedRemedy[]> {
  const all = await getWatchedRemedies()
  if (all.length === 0) return []
  const database = await getDatabase()
  return all.map(({ session, ...one }) => ({
    ...one,
    cause: session === null ? null : findCause(database, session, one.finding),
  }))
}
