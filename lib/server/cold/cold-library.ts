import 'server-only'
import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { coldPlaces } from '../../compose/cold/cold'
import { type OpenColdIndex, openColdIndex } from '../../compose/cold/cold-index'
import { openPolicies } from '../../compose/policy/policies'
import { policiesOfStores } from '../../compose/policy/policy-sources'
import { findKnownStores } from '../../db/queries/known-stores'
import { chooseChunk } from '../../engine/cold/choose-chunk'
import { type ColdPlace, joinFinders, placeOfChunk } from '../../engine/cold/cold-places'
import type { ColdChunk } from '../../engine/cold/cold-store'
import type { ColdName } from '../../view/cold/cold-storage'
import { getDatabase } from '../process/database'
import { oncePerProcess } from '../process/process-memory'
import { getSetup } from '../process/setup'

/** A page waits so long for what is new; then it shows what is known, and how far the reading is. Milliseconds. */
const PATIENCE_MS = 1500

const open = oncePerProcess('cold-indexes', () => new Map<string, OpenColdIndex>())

/** A folder of cold storage: of the policies of this operator, each once. */
export type ColdFolder = ColdPlace & {
  /** null while there is no folder. */
  readonly index: OpenColdIndex | null
}

/** Where the policies in force keep what was dropped. @throws Error when no index can be kept in the state folder */
export async function getColdFolders(): Promise<ColdFolder[]> {
  const setup = getSetup()
  const stores = findKnownStores(await getDatabase())
  const policies = policiesOfStores(await openPolicies(setup, stores).documents(), stores)
  return coldPlaces(setup, policies).map((place) => {
    const { root } = place.store
    return { ...place, index: existsSync(root) ? indexOf(root) : null }
  })
}

/** Brings indexes up to date, as far as that is done soon. */
export async function refreshSoon(folders: readonly ColdFolder[]): Promise<void> {
  const all = Promise.all(folders.map(({ index }) => index?.cold.refresh()))
  await Promise.race([all, wait(PATIENCE_MS)])
  // What fails later is reported by the next request that waits for it.
  all.catch(() => undefined)
}

/** The chunk of a name and its folder; null when it is gone. */
export async function findChunk({
  chunkId,
  sessionId,
  at,
}: ColdName): Promise<{ readonly chunk: ColdChunk; readonly folder: ColdFolder } | null> {
  const folders = await getColdFolders()
  const choice = chooseChunk(await findNamed(folders, chunkId), { session: sessionId, at })
  if (choice.kind !== 'one') return null
  return { chunk: choice.chunk, folder: placeOfChunk(folders, choice.chunk) }
}

/** All chunks with an id. */
export function findNamed(folders: readonly ColdFolder[], chunkId: string): Promise<readonly ColdChunk[]> {
  return joinFinders(folders.flatMap(({ index }) => index?.cold ?? [])).named(chunkId)
}

function indexOf(root: string): OpenColdIndex {
  const known = open.get(root)
  if (known !== undefined) return known
  const setup = getSetup()
  const fresh = openColdIndex(setup, root)
  if (fresh === null)
    throw new Error(
      `The index of cold storage cannot be kept in ${setup.environment.home}. Make the folder writable, or name another with PLIMSOLL_HOME.`,
    )
  open.set(root, fresh)
  return fresh
}
