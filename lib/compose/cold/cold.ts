import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { openColdStore } from '../../adapters/cold/open-cold-store'
import { decodeUtf8 } from '../../adapters/jsonl/decode-utf8'
import { nodeWriteFiles } from '../../adapters/write/node-write-files'
import type { ColdRecord } from '../../core/cold/record'
import type { Policy } from '../../core/policy/policy'
import { estimateUnits } from '../../core/tokens/estimate'
import { type ColdPlace, joinFinders } from '../../engine/cold/cold-places'
import type { ColdChunk } from '../../engine/cold/cold-store'
import type { PreviewPorts } from '../../engine/cold/preview-recovery'
import type { RecoverPorts } from '../../engine/cold/recover-chunk'
import { ANY_CHUNK, type ColdFinder, ColdLibrary } from '../../engine/cold/search-cold'
import { writeChunkFile } from '../../engine/cold/write-chunk-file'
import type { FoundTranscript } from '../../engine/read/ports'
import type { WriteRefusal } from '../../engine/write/receipt'
import type { Writer } from '../../engine/write/write-ports'
import { newEntryId } from '../compaction'
import { openLog } from '../logs'
import type { Setup } from '../open'
import { coldFolder } from './cold-folder'

/**
 * Folders of cold storage of the policies in force, each once. Of several policies that name one folder the first counts:
 * what it says of logs holds for what comes back. Nothing is made on disk before something is stored.
 * @param policies as `policiesOfStores` has them: those of stores first, whose agents do the dropping
 */
export function coldPlaces(setup: Setup, policies: readonly Policy[]): readonly ColdPlace[] {
  const places = new Map<string, ColdPlace>()
  for (const policy of policies) {
    const root = coldFolder(setup, policy.coldStorage)
    if (!places.has(root)) places.set(root, { store: openColdStore(root), now: Date.now, policy })
  }
  return [...places.values()]
}

/** How many chunks of a session can still be brought back; null when its cold storage cannot be read. */
export async function countCold(
  setup: Setup,
  policy: Policy,
  { sessionId, key }: Pick<FoundTranscript, 'sessionId' | 'key'>,
): Promise<number | null> {
  try {
    return await withColdPlaces(setup, coldPlaces(setup, [policy]), async (finder) => {
      let count = 0
      for (const session of key === null ? [sessionId] : [sessionId, key])
        count += (await finder.search(null, { ...ANY_CHUNK, session }, 1)).matching ?? 0
      return count
    })
  } catch {
    return null
  }
}

/**
 * Runs a piece of work with search in all of the folders at once: by the index in the state folder, or straight on the
 * files where there is nothing yet, or no index can be kept.
 */
export async function withColdPlaces<T>(
  setup: Setup,
  places: readonly ColdPlace[],
  work: (finder: ColdFinder) => Promise<T>,
): Promise<T> {
  const finders: ColdFinder[] = []
  const closing: (() => void)[] = []
  try {
    for (const { store, now } of places) {
      const open = existsSync(store.root)
        ? (await import('./cold-index')).openColdIndex(setup, store.root)
        : null
      if (open !== null) closing.push(open.close)
      finders.push(open?.cold ?? new ColdLibrary(store, now))
    }
    return await work(joinFinders(finders))
  } finally {
    for (const close of closing) close()
  }
}

/** What bringing chunks back into transcripts takes. */
export function recoverPorts(setup: Setup, writer: Writer, { logs }: Pick<Policy, 'logs'>): RecoverPorts {
  return { writer, decode: decodeUtf8, newEntryId, log: openLog(setup)(logs) }
}

/** What showing beforehand where a chunk would go takes. */
export const PREVIEW_PORTS: PreviewPorts = {
  files: nodeWriteFiles,
  decode: decodeUtf8,
  now: Date.now,
  sizeOf: estimateUnits,
}

/** Names a set of chunks: the same for the same chunks, in whatever order. */
export function stampOfChunks(chunks: readonly ColdChunk[]): string {
  const names = chunks.map(({ file, chunkId, at }) => `${file} ${chunkId} ${at}`).sort()
  return createHash('sha256').update(names.join('\n')).digest('hex')
}

/** Writes the content of a chunk into a new file of this machine. Answers why not, or null. */
export function writeRecovered(path: string, chunk: ColdRecord): Promise<WriteRefusal | null> {
  return writeChunkFile(nodeWriteFiles, path, chunk)
}
