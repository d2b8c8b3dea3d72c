import 'server-only'
import type { Database } from '../../db/client'
import { countCauses, findCause, findFindingGroups } from '../../db/queries/finding-causes'
import { type FindingsFilter, findFindings } from '../../db/queries/findings'
import { findStoreHealth, findStoreSummaries } from '../../db/queries/store-summaries'
import { findTranscriptNames } from '../../db/queries/transcripts-of'
import { FINDINGS_SHOWN, type FindingsView, findingsView } from '../../view/findings/findings-page'
import type { FindingsPlace } from '../../view/findings/findings-place'
import { untilChange } from '../process/until-change'
import { getAppliedRemedies } from './applied-remedies'
import { everMuted, mutedNow, mutesStamp } from './mutes'

const NONE = { high: 0, medium: 0, low: 0 }

/** What is wrong or dear over all sessions and stores, one row for each cause, the worst first; or one cause with its sessions. */
export async function getFindingsPage(place: FindingsPlace): Promise<FindingsView> {
  const mutes = everMuted()
  const applied = await getAppliedRemedies()
  const key = `findings ${JSON.stringify(place)} ${mutesStamp(mutes)}`
  // What a list shows changes with sessions and mutes alone; what was applied is another matter.
  const found = await untilChange(key, async (database) => readFound(database, place))
  return findingsView(place, found, { mutes, applied, now: Date.now() })
}

function readFound(database: Database, place: FindingsPlace): Parameters<typeof findingsView>[1] {
  const { kind, severity } = place
  const page = { skip: (place.page - 1) * FINDINGS_SHOWN, limit: FINDINGS_SHOWN }
  if (place.of !== null) return readCause(database, place.of, place.page)
  const shown: FindingsFilter =
    place.show === 'gone' ? { which: 'gone' } : { muted: mutedNow(place.show === 'muted') }
  const filter = kind === null ? shown : { ...shown, kind }
  const causes = findFindingGroups(database, filter, severity === null ? page : { ...page, worst: severity })
  return {
    causes,
    counts: countCauses(database, filter),
    isUnread: causes.length === 0 && isUnread(database),
    stores: findStoreHealth(database),
  }
}

/** Whether no session has been read yet, so that nothing could be found. */
function isUnread(database: Database): boolean {
  return findStoreSummaries(database).every(({ sessions }) => sessions === 0)
}

/** A cause, whether it is muted or not, with its sessions; where it is found no more, those that had it. */
function readCause(
  database: Database,
  { about, id, finding }: NonNullable<FindingsPlace['of']>,
  page: number,
): Parameters<typeof findingsView>[1] {
  const cause = findCause(database, id, finding)
  if (cause === null) return { causes: [], counts: NONE, members: { total: 0, rows: [] } }
  const [open] = findFindingGroups(database, { cause }, { skip: 0, limit: 1 })
  const filter: FindingsFilter = open === undefined ? { cause, which: 'gone' } : { cause }
  const causes = open === undefined ? findFindingGroups(database, filter, { skip: 0, limit: 1 }) : [open]
  const members = findFindings(database, filter, {
    skip: (page - 1) * FINDINGS_SHOWN,
    limit: FINDINGS_SHOWN,
  })
  if (about === 'session') return { causes, counts: NONE, members }
  const shown = causes[0]?.worst.finding.evidence.transcripts ?? []
  const names = findTranscriptNames(
    database,
    shown.map(({ id: transcript }) => transcript),
  )
  return { causes, counts: NONE, members, names }
}
