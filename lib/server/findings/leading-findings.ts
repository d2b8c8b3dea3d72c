import 'server-only'
import { reasonOf } from '../../core/words/reason-of'
import type { Database } from '../../db/client'
import { countCauses, findFindingGroups } from '../../db/queries/finding-causes'
import { LEADING_SHOWN, type LeadingFindings, leadingFindings } from '../../view/findings/leading-findings'
import { everMuted, mutedNow, mutesStamp } from './mutes'

const NONE = { high: 0, medium: 0, low: 0 }

/** What the Overview leads with depends on this besides the database. */
export function leadingStamp(): string {
  try {
    return mutesStamp(everMuted())
  } catch (error) {
    return reasonOf(error)
  }
}

/**
 * The worst and dearest causes, muted ones left out.
 * @param sessions that were examined
 */
export function readLeadingFindings(database: Database, sessions: number): LeadingFindings {
  try {
    const mutes = everMuted()
    const muted = mutedNow(false)
    const page = { skip: 0, limit: LEADING_SHOWN }
    const causes = findFindingGroups(database, { muted }, page)
    const counts = countCauses(database, { muted })
    const quiet =
      muted.ids.length + muted.causes.length > 0 ? countCauses(database, { muted: mutedNow(true) }) : NONE
    const found = { causes, counts, sessions, muted: quiet.high + quiet.medium + quiet.low }
    return leadingFindings(found, { mutes, applied: [], now: Date.now() })
  } catch (error) {
    // Without the list of what is muted, what was muted would lead.
    return { problem: reasonOf(error), causes: [], counts: NONE, sessions, muted: 0 }
  }
}
