import 'server-only'
import { archiveOf, deletionOf } from '../../compose/archive'
import { dueSoon } from '../../core/archive/due-soon'
import type { Milliseconds } from '../../core/units/units'
import { findDeletableSessions } from '../../db/queries/deletable-sessions'
import { surveyArchive } from '../../engine/archive/survey-archive'
import type { FoundStore } from '../../engine/read/ports'
import { type ArchiveView, archiveView } from '../../view/archive/archive-view'
import { behind } from '../process/behind'
import { getSetup } from '../process/setup'
import { untilChange } from '../process/until-change'

/** What is due soon and listed; the page says how many there are. */
const DUE_LISTED = 50
/** The archive is measured anew after this, since that reads all of its folders. Milliseconds. */
const FRESH_MS = 60_000

type Measured = { readonly transcripts: number; readonly bytes: number }

const archiveSize = behind<Measured>('archive measured', FRESH_MS)

/** The archive, and what the runtimes of the stores delete within a week. @param stores those that are there */
export async function getArchiveView(stores: readonly FoundStore[]): Promise<ArchiveView> {
  const { environment, settings } = getSetup()
  const now = Date.now()
  const due = await findDue(stores, now)
  const folder = archiveOf(environment)
  const shown = await Promise.all(
    due.slice(0, DUE_LISTED).map(async ({ at, rule, item }) => {
      const kept = (await folder.newest(item.id))?.stamp
      const isKept = kept?.size === item.stamp.size && kept.mtimeMs === item.stamp.mtimeMs
      return { ...item, at, rule, isKept }
    }),
  )
  const { enabled, quotaBytes } = settings.archive
  return archiveView({
    ...{ enabled, quotaBytes, now, due: shown, dueTotal: due.length },
    ...(await archiveSize(now, measureArchive)),
  })
}

/** A store, as it was found or as the database has it. */
type RuledStore = { readonly id: string } & Parameters<typeof deletionOf>[1]

/** What the runtimes of these stores delete within a week, the next one first. */
async function findDue(stores: readonly RuledStore[], now: Milliseconds) {
  const { environment } = getSetup()
  const rules = new Map(
    stores.flatMap((store) => {
      const rule = deletionOf(environment, store)
      return rule === null ? [] : [[store.id, rule] as const]
    }),
  )
  const ids = [...rules.keys()].sort()
  const sessions = await untilChange(`deletable ${ids.join()}`, async (database) =>
    findDeletableSessions(database, ids),
  )
  return dueSoon(
    sessions,
    ({ path, state, stamp, isIndexed }) => ({ path, state, mtimeMs: stamp.mtimeMs, isIndexed }),
    ({ storeId }) => rules.get(storeId) ?? null,
    now,
  )
}

/** How many transcripts are deleted within a week that no archive keeps; 0 while it is switched on. */
export async function countUnkept(stores: readonly RuledStore[], now: Milliseconds): Promise<number> {
  return getSetup().settings.archive.enabled ? 0 : (await findDue(stores, now)).length
}

async function measureArchive(): Promise<Measured> {
  const { transcripts, bytes } = await surveyArchive(archiveOf(getSetup().environment))
  return { transcripts: transcripts.length, bytes }
}
