import 'server-only'
import { type FindingsView, findingsView } from '../../view/findings/findings-page'
import type { FindingsPlace } from '../../view/findings/findings-place'
import { getFindingGroups } from './findings'

/** Causes on one page. */
const MOST_CAUSES = 200

/** What is wrong or dear over all sessions, one row for each cause, the worst first. */
export async function getFindingsPage(place: FindingsPlace): Promise<FindingsView> {
  return findingsView(await getFindingGroups({}, MOST_CAUSES), place)
}
