import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import type { DatabasePlace } from '../../engine/openclaw/openclaw-commands'
import type { FoundStore } from '../../engine/read/ports'
import { isGatewayRemote, stateFolderOf } from '../locks/state-folder'
import { checkInside, openClawLayout } from '../stores/openclaw-layout'

/** The agent databases of a store; none where links lead out of it. */
export function databasePlaces({ root }: Pick<FoundStore, 'root'>): DatabasePlace[] {
  const layout = openClawLayout(root)
  return layout.places.flatMap(({ agent, database: file }) => {
    if (file === null || agent === null || !existsSync(file)) return []
    if (layout.only === null && checkInside(root, file) !== null) return []
    const database = realpathSync.native(file)
    const stateFolder = layout.stateFolder ?? stateFolderOf(path.dirname(database))
    const remote = stateFolder !== null && isGatewayRemote(stateFolder)
    return [{ root, database, agent, stateFolder, remote }]
  })
}
