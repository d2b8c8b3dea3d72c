import 'server-only'
import { openCommands } from '../../compose/gateway'
import { maintainable, maintenanceIo } from '../../compose/maintenance'
import { tryMaintenance } from '../../engine/maintenance/maintain-store'
import {
  databasesView,
  type FolderFacts,
  type MaintenanceView,
  maintenanceView,
} from '../../view/maintenance/maintenance'
import { keptKeys, type MaintenanceTrial, trialSettings } from '../../view/maintenance/maintenance-trial'
import { getSetup } from '../process/setup'
import { findStore } from './maintain-job'

/** What maintenance of a store would do by its own limits, or by those that are tried; null when there is no such store. */
export async function getMaintenance(id: string, trial: MaintenanceTrial): Promise<MaintenanceView | null> {
  const store = await findStore(id)
  if (store === null) return null
  const found = maintainable(store, openCommands(getSetup(), process.env) !== null)
  if (found.kind === 'none') return maintenanceView(store, found.why, trial)
  if (found.kind === 'databases') return databasesView(store, found.places)
  const folders: FolderFacts[] = []
  for (const { settings, ...place } of found.places) {
    const tried = { ...place, settings: trialSettings(settings, trial) }
    const trialed = await tryMaintenance(maintenanceIo, tried, keptKeys(trial))
    const planned = trialed.kind === 'refused' ? trialed.refusal.message : trialed.planned
    folders.push({ ...place, settings, planned })
  }
  return maintenanceView(store, folders, trial)
}
