import 'server-only'
import { databasesView, type MaintenanceView, maintenanceView } from '../view/maintenance'
import { type MaintenanceTrial, trialSettings } from '../view/maintenance-trial'
import { openCommands } from '../wire/gateway'
import { maintainable } from '../wire/maintenance'
import { findStore, fingerprintOf, tryPlan } from './maintain-job'
import { getSetup } from './setup'

/** What maintenance of a store would do by its own limits, or by those that are tried; null when there is no such store. */
export async function getMaintenance(id: string, trial: MaintenanceTrial): Promise<MaintenanceView | null> {
  const store = await findStore(id)
  if (store === null) return null
  const found = maintainable(store, openCommands(getSetup(), process.env) !== null)
  if (found.kind === 'none') return maintenanceView(store, found.why, trial)
  if (found.kind === 'databases') return databasesView(store, found.places)
  const folders = []
  for (const place of found.places) {
    const planned = await tryPlan({ ...place, settings: trialSettings(place.settings, trial) }, trial)
    const { folder, agent, settings } = place
    folders.push({
      folder,
      agent,
      settings,
      planned: typeof planned === 'string' ? planned : { ...planned, fingerprint: fingerprintOf(planned) },
    })
  }
  return maintenanceView(store, folders, trial)
}
