import { realpathSync } from 'node:fs'
import { databasePlaces } from '../adapters/openclaw/database-places'
import { maintenancePlaces } from '../adapters/openclaw/maintenance-places'
import { nodeWriteFiles } from '../adapters/write/node-write-files'
import { sha256 } from '../adapters/write/sha256'
import type { MaintenanceIo, MaintenancePlace } from '../engine/maintenance/maintain-store'
import type { DatabasePlace } from '../engine/openclaw/openclaw-commands'
import type { FoundStore } from '../engine/read/ports'
import { readOnlyReason } from '../engine/write/writable'

/** For plans that write nothing. */
export const maintenanceIo: MaintenanceIo = {
  files: nodeWriteFiles,
  sha256,
  clock: { now: () => Date.now() },
}

/** Where a store can be put in order: by us, by OpenClaw's own command, or not at all. */
export type Maintainable =
  | { readonly kind: 'files'; readonly store: FoundStore; readonly places: readonly MaintenancePlace[] }
  | { readonly kind: 'databases'; readonly store: FoundStore; readonly places: readonly DatabasePlace[] }
  | { readonly kind: 'none'; readonly store: FoundStore; readonly why: string }

/** @param hasCommand the settings name OpenClaw's own command */
export function maintainable(store: FoundStore, hasCommand: boolean): Maintainable {
  const none = (why: string) => ({ kind: 'none', store, why }) as const
  if (store.kind === 'pi') return none('pi keeps every session until you delete it; it has no limits.')
  const readOnly = readOnlyReason(store)
  if (readOnly !== null) return none(readOnly)
  if (store.era === 'sqlite' && !hasCommand)
    return none(
      'its sessions are in a database, which only OpenClaw itself may change. Name OpenClaw\'s command in the settings (gateway: { command: openclaw }) and it is asked from here, or use it yourself: "openclaw sessions cleanup --dry-run" shows what it would remove.',
    )
  if (store.state !== 'ok' && store.state !== 'empty') return none(store.problem ?? store.state)
  if (store.era === 'sqlite') return { kind: 'databases', store, places: databasePlaces(store) }
  return { kind: 'files', store, places: maintenancePlaces(store) }
}

/** The database that a transcript of a store is in; null when it is none of an agent of that store. */
export function databasePlaceOf(store: FoundStore, database: string): DatabasePlace | null {
  return databasePlaces(store).find((place) => samePath(place.database, database)) ?? null
}

function samePath(real: string, path: string): boolean {
  return real === path || real === realpathSync.native(path)
}
