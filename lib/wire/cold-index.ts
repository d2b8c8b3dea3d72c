import { join } from 'node:path'
import { Journals } from '../adapters/cold/journals'
import { coldScanner } from '../adapters/cold/scan-cold'
import { nodeWriteFiles } from '../adapters/write/node-write-files'
import { ensureStateFolder } from '../config/paths'
import { ColdIndexFile } from '../db/cold-index'
import { LocalConnection } from '../db/local-connection'
import { IndexedCold } from '../engine/indexed-cold'
import type { Setup } from '../wire'

export type OpenColdIndex = { readonly cold: IndexedCold; readonly root: string; close(): void }

/**
 * Search in a folder of cold storage by the index in the state folder; null when the index cannot be used, e.g. because
 * nothing can be written there.
 */
export function openColdIndex({ environment }: Setup, root: string): OpenColdIndex | null {
  let connection: LocalConnection | null = null
  try {
    connection = new LocalConnection(join(ensureStateFolder(environment.home), 'cold-index.db'))
    const index = new ColdIndexFile(connection, root)
    const scanner = coldScanner(nodeWriteFiles, root, new Journals(nodeWriteFiles, root))
    return { cold: new IndexedCold(index, scanner, Date.now), root, close: () => index.close() }
  } catch {
    if (connection?.open) connection.close()
    return null
  }
}
