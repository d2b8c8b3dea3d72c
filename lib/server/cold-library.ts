import 'server-only'
import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Policy } from '../core/policy/policy'
import { findKnownStores } from '../db/queries/known-stores'
import type { ColdChunk } from '../engine/cold-store'
import type { ColdName } from '../view/cold-storage'
import { policiesByFolder } from '../wire/cold'
import { type OpenColdIndex, openColdIndex } from '../wire/cold-index'
import { policiesOfStores } from '../wire/log-tail'
import { getDatabase } from './database'
import { oncePerProcess } from './process-memory'
import { getSetup } from './setup'

/** A page waits so long for what is new; then it shows what is known, and how far the reading is. Milliseconds. */
const PATIENCE_MS = 1500

const open = oncePerProcess('cold-indexes', () => new Map<string, OpenColdIndex>())

/** A folder of cold storage: of the policies of this operator, each once. */
export type ColdFolder = {
  readonly root: string
  readonly found: boolean
  readonly policy: Policy
  /** null while there is no folder. */
  readonly index: OpenColdIndex | null
}

/** Where the policies in force keep what was dropped. @throws Error when no index can be kept in the state folder */
export async function getColdFolders(): Promise<ColdFolder[]> {
  const setup = getSetup()
  const policies = await policiesOfStores(setup, findKnownStores(await getDatabase()))
  const folders = policiesByFolder(setup, policies)
  return [...folders].map(([root, policy]) => {
    const found = existsSync(root)
    return { root, found, policy, index: found ? indexOf(root) : null }
  })
}

/** Brings indexes up to date, as far as that is done soon. */
export async function refreshSoon(folders: readonly ColdFolder[]): Promise<void> {
  const all = Promise.all(folders.map(({ index }) => index?.cold.refresh()))
  await Promise.race([all, wait(PATIENCE_MS)])
  // What fails later is told by the next request that waits for it.
  all.catch(() => undefined)
}

/** The chunk of a name (of one session, whenever it was dropped, if `at` is left out) and its folder; null when it is gone. */
export async function findChunk(
  name: Pick<ColdName, 'chunkId' | 'sessionId'> & Partial<Pick<ColdName, 'at'>>,
): Promise<{ readonly chunk: ColdChunk; readonly folder: ColdFolder } | null> {
  for (const folder of await getColdFolders()) {
    const named = (await folder.index?.cold.named(name.chunkId)) ?? []
    const chunk = named.find(
      ({ sessionId, at }) => sessionId === name.sessionId && (name.at === undefined || at === name.at),
    )
    if (chunk !== undefined) return { chunk, folder }
  }
  return null
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
