import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import type { MaintenancePlace } from '../../engine/maintenance/maintain-store'
import type { FoundStore } from '../../engine/read/ports'
import { maintenanceSettings, stateFolderOf } from '../locks/state-folder'
import { checkInside, openClawLayout } from '../stores/openclaw-layout'

/** The sessions folders of a store of files; none for a single transcript, or where links lead out of the store. */
export function maintenancePlaces({ root }: FoundStore): MaintenancePlace[] {
  const layout = openClawLayout(root)
  if (layout.only !== null) return []
  return layout.places.flatMap(({ agent, sessions }) => {
    if (sessions === null || !existsSync(sessions) || checkInside(root, sessions) !== null) return []
    const folder = realpathSync.native(sessions)
    const state = layout.stateFolder ?? stateFolderOf(path.join(folder, 'x'))
    const { maintenance, version } =
      state === null ? { maintenance: undefined, version: null } : maintenanceSettings(state)
    return [{ root, folder, agent, settings: maintenance, version }]
  })
}
