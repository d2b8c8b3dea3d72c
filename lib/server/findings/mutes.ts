import 'server-only'
import { addMute, readMutes, removeMutes } from '../../config/mutes'
import type { FindingMute } from '../../core/findings/mutes'
import { findCause } from '../../db/queries/finding-causes'
import type { FindingsFilter } from '../../db/queries/findings'
import type { DoneAnswer } from '../../view/actions/action-answer'
import { getDatabase } from '../process/database'
import { getSetup } from '../process/setup'

const GONE = { kind: 'refused', problem: 'The finding is not there any more.' } as const

/** All mutes that were not taken away, those that have ended as well. @throws Error that names the file that cannot be read */
export function everMuted(): readonly FindingMute[] {
  return readMutes(getSetup().environment.home)
}

/** What is muted now, for a query. @param only that alone, else everything but that */
export function mutedNow(only: boolean): NonNullable<FindingsFilter['muted']> {
  const mutes = inForce(everMuted())
  return {
    only,
    ids: mutes.flatMap(({ finding, cause }) => (cause === null ? [finding] : [])),
    causes: mutes.flatMap(({ cause }) => (cause === null ? [] : [cause])),
  }
}

/** Another text as soon as something else is muted. */
export function mutesStamp(mutes: readonly FindingMute[]): string {
  const now = inForce(mutes)
  return `${now.length} ${now.map(({ at }) => at).join()}`
}

function inForce(mutes: readonly FindingMute[]): readonly FindingMute[] {
  const now = Date.now()
  return mutes.filter(({ until }) => until === null || now < until)
}

/**
 * Mutes all findings that have the cause of this one.
 * @param subject public id of the session or the store that it is about
 * @param until a day, from which on they show again; '': never
 */
export async function muteOnPage(
  subject: string,
  finding: string,
  reason: string,
  until: string,
): Promise<DoneAnswer> {
  const now = Date.now()
  const day = until === '' ? null : Date.parse(until)
  if (day !== null && day <= now)
    return { kind: 'refused', problem: 'The day is not to come any more; choose a later one.' }
  const cause = findCause(await getDatabase(), subject, finding)
  if (cause === null) return GONE
  addMute(getSetup().environment.home, { finding, cause, reason, at: now, until: day })
  return { kind: 'done', message: 'Muted.' }
}

/** Shows them again. */
export async function unmuteOnPage(subject: string, finding: string): Promise<DoneAnswer> {
  const cause = findCause(await getDatabase(), subject, finding)
  if (cause === null) return GONE
  removeMutes(getSetup().environment.home, { finding, cause })
  return { kind: 'done', message: 'It shows again.' }
}
