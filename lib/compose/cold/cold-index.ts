import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Journals } from '../../adapters/cold/journals'
import { coldScanner } from '../../adapters/cold/scan-cold'
import { nodeWriteFiles } from '../../adapters/write/node-write-files'
import { ensureStateFolder } from '../../config/paths'
import { ColdIndexFile } from '../../db/sqlite/cold-index'
import { DamagedFileError } from '../../db/sqlite/damaged-file'
import { LocalConnection } from '../../db/sqlite/local-connection'
import { IndexedCold } from '../../engine/cold/indexed-cold'
import type { Setup } from '../setup'

export type OpenColdIndex = { readonly cold: IndexedCold; readonly root: string; close(): void }

const FILE = 'cold-index.db'

/**
 * Search in a folder of cold storage by the index in the state folder; null when the index cannot be used, e.g. because
 * nothing can be written there. One that is damaged is thrown away and made again.
 */
export function openColdIndex({ environment }: Setup, root: string): OpenColdIndex | null {
  try {
    const file = join(ensureStateFolder(environment.home), FILE)
    const index = openFile(file, root)
    const scanner = coldScanner(nodeWriteFiles, root, new Journals(nodeWriteFiles, root))
    return { cold: new IndexedCold(index, scanner, Date.now), root, close: () => index.close() }
  } catch {
    return null
  }
}

function openFile(file: string, root: string): ColdIndexFile {
  try {
    return connect(file, root)
  } catch (error) {
    if (!(error instanceof DamagedFileError)) throw error
    for (const ending of ['', '-wal', '-shm']) rmSync(`${file}${ending}`, { force: true })
    return connect(file, root)
  }
}

function connect(file: string, root: string): ColdIndexFile {
  const connection = new LocalConnection(file)
  try {
    return new ColdIndexFile(connection, root)
  } catch (error) {
    if (connection.open) connection.close()
    throw error
  }
}
