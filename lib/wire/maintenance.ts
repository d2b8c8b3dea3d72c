import { maintenancePlaces } from '../adapters/maintenance-places'
import { nodeWriteFiles } from '../adapters/write/node-write-files'
import { sha256 } from '../adapters/write/sha256'
import type { MaintenanceIo, MaintenancePlace } from '../engine/maintain-store'
import type { FoundStore } from '../engine/ports'

/** For plans that write nothing. */
export const maintenanceIo: MaintenanceIo = { files: nodeWriteFiles, sha256, clock: { now: Date.now } }

/** Where a store can be put in order, or why we do not. */
export type Maintainable =
  | { readonly store: FoundStore; readonly places: readonly MaintenancePlace[] }
  | { readonly store: FoundStore; readonly why: string }

export function maintainable(store: FoundStore): Maintainable {
  if (store.kind === 'pi')
    return { store, why: 'pi keeps every session until you delete it; it has no limits.' }
  if (store.era === 'sqlite') {
    return {
      store,
      why: 'its sessions are in a database, which only OpenClaw itself may change: "openclaw sessions cleanup --dry-run" shows what it would remove.',
    }
  }
  if (store.state !== 'ok' && store.state !== 'empty') return { store, why: store.problem ?? store.state }
  return { store, places: maintenancePlaces(store) }
}
