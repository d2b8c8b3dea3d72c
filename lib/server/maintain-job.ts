import 'server-only'
import { planText } from '../core/maintenance/plan-text'
import { findKnownStores } from '../db/queries/known-stores'
import type { JobKind, JobOutcome } from '../engine/job-ports'
import {
  type MaintenancePlace,
  maintainStore,
  type PlannedMaintenance,
  planStore,
} from '../engine/maintain-store'
import type { FoundStore } from '../engine/ports'
import { asRefused, Refused } from '../engine/refusal'
import { reportedWait, reportedWriter, WRITE_STEPS } from '../engine/reported-writer'
import { writeOutcome } from '../engine/write-outcome'
import { formatBytes, formatQuantity } from '../view/format'
import { keptKeys, type MaintenanceTrial, trialSettings } from '../view/maintenance-trial'
import { maintainable, maintenanceIo } from '../wire/maintenance'
import { openWriter } from '../wire/writer'
import { getDatabase } from './database'
import { getSetup } from './setup'

export type MaintainParams = {
  readonly store: string
  /** The sessions folder, and its name for a reader. */
  readonly folder: string
  readonly name: string
  /** Limits that were tried instead of the store's own. */
  readonly trial: MaintenanceTrial
  /** The dry run that was looked at (`fingerprintOf`); another plan is not carried out. */
  readonly fingerprint: string
}

const WAIT_MS = 60_000

/** Carries out the dry run that somebody looked at. */
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
    context.report({ done: 0, of: WRITE_STEPS, doing: 'Planning anew, from the store as it is now' })
    const planned = await tryPlan(place, trial)
    if (typeof planned === 'string') return { kind: 'refused', message: planned }
    if (planned.limits.mode === 'warn') {
      return { kind: 'refused', message: 'The mode is warn, which removes nothing. Choose enforce.' }
    }
    if (fingerprintOf(planned) !== fingerprint) {
      return {
        kind: 'refused',
        message:
          'The store has changed since the dry run, and the plan with it. Nothing was changed; look at it again.',
      }
    }
    const opened = await openWriter(getSetup())
    if (!opened.ok) return { kind: 'refused', message: opened.message }
    const { result } = await maintainStore(reportedWriter(opened.writer, context), {
      place,
      active: keptKeys(trial),
      actor: 'dashboard',
      wait: reportedWait(context, WAIT_MS),
    })
    const { before, after } = planned.plan
    return writeOutcome(result, {
      done: ({ files }) =>
        `${formatQuantity(before.entries - after.entries, 'session')} left the index; ${formatQuantity(files.length, 'file')} touched, ${formatBytes(before.bytes - after.bytes)} less in the folder. Every file was backed up and verified.`,
      unchanged: 'Nothing changed: everything is within its limits.',
    })
  },
}

/** A sessions folder of a store, with tried limits in place of its own; else why there is none, for the operator. */
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

/** A dry run; else why there can be none, for the operator. */
export async function tryPlan(
  place: MaintenancePlace,
  trial: MaintenanceTrial,
): Promise<PlannedMaintenance | string> {
  try {
    return await planStore(maintenanceIo, place, keptKeys(trial))
  } catch (error) {
    const reason = asRefused(error, place.folder)
    if (reason instanceof Refused) return reason.refusal.message
    throw reason
  }
}

/** Names what a plan does: the same for two that do the same. */
export function fingerprintOf({ plan }: PlannedMaintenance): string {
  const hasher = maintenanceIo.sha256()
  hasher.update(new TextEncoder().encode(planText(plan)))
  return hasher.digest()
}
