import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openColdStore } from '../adapters/cold/open-cold-store'
import { decodeUtf8 } from '../adapters/decode-utf8'
import { nodeWriteFiles } from '../adapters/write/node-write-files'
import { absolutePath } from '../config/env'
import type { ColdRecord } from '../core/cold/record'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import type { Policy } from '../core/policy/policy'
import type { ColdPorts } from '../engine/drop-to-cold'
import type { Refusal } from '../engine/receipt'
import type { RecoverPorts } from '../engine/recover-chunk'
import { ANY_CHUNK, type ColdFinder, ColdLibrary } from '../engine/search-cold'
import { writeChunkFile } from '../engine/write-chunk-file'
import type { Writer } from '../engine/write-ports'
import type { Setup } from '../wire'
import { newEntryId } from './compaction'
import { openLog } from './logs'

/**
 * Where a policy keeps dropped chunks. Where PLIMSOLL_STORES takes the place of what is known of this machine, the known
 * place is left alone and the state folder has them.
 */
export function coldFolder({ environment }: Setup, { path }: Pick<Policy['coldStorage'], 'path'>): string {
  const { home, stores, userHome } = environment
  if (stores !== null && path === DEFAULT_POLICY.coldStorage.path) return join(home, 'cold-storage')
  // Without the slash at its end, so that one folder has one name.
  return resolve(absolutePath(path, userHome, userHome))
}

/**
 * Folders of cold storage of the policies in force, each once. Of several policies that name one folder a store's counts,
 * since its agents do the dropping: what it says of logs holds for what comes back.
 * @param policies the one of no store in particular, then those of the stores
 */
export function policiesByFolder(
  setup: Setup,
  [own, ...stores]: readonly Policy[],
): ReadonlyMap<string, Policy> {
  const folders = new Map<string, Policy>()
  for (const policy of own === undefined ? stores : [...stores, own]) {
    const root = coldFolder(setup, policy.coldStorage)
    if (!folders.has(root)) folders.set(root, policy)
  }
  return folders
}

/** Cold storage of a policy. Nothing is made on disk before something is stored. */
export function coldPorts(setup: Setup, coldStorage: Pick<Policy['coldStorage'], 'path'>): ColdPorts {
  return { store: openColdStore(coldFolder(setup, coldStorage)), now: Date.now }
}

/** How many chunks of a session can still be brought back; null when its cold storage cannot be read. */
export async function countCold(
  setup: Setup,
  coldStorage: Pick<Policy['coldStorage'], 'path'>,
  names: readonly string[],
): Promise<number | null> {
  try {
    return await withColdFinder(setup, coldStorage, async (finder) => {
      let count = 0
      for (const session of names)
        count += (await finder.search(null, { ...ANY_CHUNK, session }, 1)).matching ?? 0
      return count
    })
  } catch {
    return null
  }
}

/**
 * Runs a piece of work with search in a policy's cold storage: by the index in the state folder, or straight on the files
 * where there is nothing yet, or no index can be kept.
 */
export async function withColdFinder<T>(
  setup: Setup,
  coldStorage: Pick<Policy['coldStorage'], 'path'>,
  work: (finder: ColdFinder) => Promise<T>,
): Promise<T> {
  const root = coldFolder(setup, coldStorage)
  const open = existsSync(root) ? (await import('./cold-index')).openColdIndex(setup, root) : null
  if (open === null) {
    const { store, now } = coldPorts(setup, coldStorage)
    return work(new ColdLibrary(store, now))
  }
  try {
    return await work(open.cold)
  } finally {
    open.close()
  }
}

/** What bringing chunks back into transcripts takes. */
export function recoverPorts(setup: Setup, writer: Writer, { logs }: Pick<Policy, 'logs'>): RecoverPorts {
  return { writer, decode: decodeUtf8, newEntryId, log: openLog(setup)(logs) }
}

/** Writes the content of a chunk into a new file of this machine. Answers why not, or null. */
export function writeRecovered(path: string, chunk: ColdRecord): Promise<Refusal | null> {
  return writeChunkFile(nodeWriteFiles, path, chunk)
}
