import 'server-only'
import { type FindingsView, findingsView } from '../../view/findings/findings-page'
import type { FindingsPlace } from '../../view/findings/findings-place'
import { getFindingGroups } from './findings'
import { currentMutes } from './mutes'

/** Causes on one page. */
const MOST_CAUSES = 200

/** What is wrong or dear over all sessions, one row for each cause, the worst first. */
export async function getFindingsPage(place: FindingsPlace): Promise<FindingsView> {
  const mutes = currentMutes()
  const muted = {
    only: place.show === 'muted',
    ids: mutes.flatMap(({ finding, cause }) => (cause === null ? [finding] : [])),
    causes: mutes.flatMap(({ cause }) => (cause === null ? [] : [cause])),
  }
  const filter = place.show === 'gone' ? { which: 'gone' as const } : { muted }
  return findingsView(await getFindingGroups(filter, MOST_CAUSES), place, mutes)
}
