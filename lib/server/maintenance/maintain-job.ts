import 'server-only'
import { maintainable } from '../../compose/maintenance'
import { openWriter } from '../../compose/writer'
import { findKnownStores } from '../../db/queries/known-stores'
import type { JobKind, JobOutcome } from '../../engine/jobs/job-ports'
import { reportedWait, reportedWriter, WRITE_STEPS } from '../../engine/jobs/reported-writer'
import { writeOutcome } from '../../engine/jobs/write-outcome'
import { type MaintenancePlace, maintainStore } from '../../engine/maintenance/maintain-store'
import type { FoundStore } from '../../engine/read/ports'
import { maintainedText, NOTHING_TO_MAINTAIN } from '../../view/maintenance/maintenance-outcome'
import { keptKeys, type MaintenanceTrial, trialSettings } from '../../view/maintenance/maintenance-trial'
import { getDatabase } from '../process/database'
import { getSetup } from '../process/setup'

export type MaintainParams = {
  readonly store: string
  /** The sessions folder, and its name for a reader. */
  readonly folder: string
  readonly name: string
  /** Limits that were tried instead of the store's own. */
  readonly trial: MaintenanceTrial
  /** The dry run that was looked at (its fingerprint); another plan is not carried out. */
  readonly fingerprint: string
}

const WAIT_MS = 60_000

/** Applies the dry run that was shown. */
export const maintainJob: JobKind<MaintainParams> = {
  describe: ({ store, folder, name }) => ({
    title: `Maintain ${name}`,
    lane: `folder ${folder}`,
    sessionId: null,
    storeId: store,
  }),
  run: async ({ store, folder, trial, fingerprint }, context): Promise<JobOutcome> => {
    const place = await placeToMaintain(store, folder, trial)
    if (typeof place === 'string') return { kind: 'refused', message: place }
    const opened = await openWriter(getSetup())
    if (!opened.ok) return { kind: 'refused', message: opened.message }
    context.report({ done: 0, of: WRITE_STEPS, doing: 'Planning anew, from the store as it is now' })
    const { result } = await maintainStore(reportedWriter(opened.writer, context), {
      place,
      active: keptKeys(trial),
      actor: 'dashboard',
      expected: fingerprint,
      wait: reportedWait(context, WAIT_MS),
    })
    return writeOutcome(result, {
      done: ({ summary, files }) => maintainedText(summary, files.length),
      unchanged: NOTHING_TO_MAINTAIN,
    })
  },
}

/** A sessions folder of a store, with tried limits in place of its limits; else why there is none, for the operator. */
async function placeToMaintain(
  id: string,
  folder: string,
  trial: MaintenanceTrial,
): Promise<MaintenancePlace | string> {
  const store = await findStore(id)
  if (store === null) return 'There is no such store any more.'
  const found = maintainable(store, false)
  if (found.kind === 'none') return found.why
  const place = found.kind === 'files' ? found.places.find((known) => known.folder === folder) : undefined
  if (place === undefined) return `${folder} is not a sessions folder of this store any more.`
  return { ...place, settings: trialSettings(place.settings, trial) }
}

export async function findStore(id: string): Promise<FoundStore | null> {
  return findKnownStores(await getDatabase()).find((store) => store.id === id) ?? null
}
