import { type ColdRecord, lineKeptUntil, readColdLine } from '../../core/cold/record'
import { append } from '../../core/lists/long-lists'
import type { ColdChunk, ColdStore, StoredChunk } from '../../engine/cold/cold-store'
import { readTextFile } from '../../engine/write/read-text'
import type { WriteFiles } from '../../engine/write/write-ports'
import { writeFlushed } from '../write/flushed-file'
import { addToIndex, extendInIndex, trimIndex } from './chunk-index'
import { type Claimed, claimFile, giveBack } from './claim-file'
import { ColdReader } from './cold-reader'
import { Journals } from './journals'

/**
 * Cold storage as memfas lays it out: `<root>/<session>/<chunk>.jsonl`, one record in each file. Several chunks that
 * are stored together are flushed once, in a journal; their own files follow and are flushed when the journal is
 * recovered. A chunk that came back and is stored again renews its record.
 * @param unique a name that no other process uses
 */
export function fileColdStore(files: WriteFiles, root: string, unique: () => string): ColdStore {
  const journals = new Journals(files, root)
  const reader = new ColdReader(files, root, journals)

  async function put(records: readonly ColdRecord[]): Promise<readonly StoredChunk[]> {
    const stored: Claimed[] = []
    const together = records.length > 1
    let journal: string | null = null
    try {
      await makeRoot(files, root)
      for (const record of records) {
        stored.push(await claimFile(files, root, record, !together))
      }
      // What was renewed is on the disk already.
      const unflushed = stored.filter(({ change }) => change.kind !== 'renewed')
      if (together && unflushed.length > 0) journal = await journals.write(unique(), unflushed)
    } catch (error) {
      for (const claimed of stored.toReversed()) await giveBack(files, claimed)
      if (journal !== null) await files.unlink(journal).catch(() => undefined)
      throw error
    }
    // Only a help for readers of the help; what is in it can be found without it.
    await noteInIndex(stored).catch(() => undefined)
    return stored.map(({ record, file, earlier }) => ({
      record,
      file,
      ...(earlier === null ? {} : { earlier }),
    }))
  }

  async function noteInIndex(stored: readonly Claimed[]): Promise<void> {
    const renewed = stored.filter(({ change }) => change.kind === 'renewed')
    await trimIndex(
      files,
      root,
      renewed.map(({ record, file }) => ({ ...record, file })),
    )
    await addToIndex(files, root, stored)
  }

  async function remove(chunks: readonly ColdChunk[]): Promise<number> {
    // A journal would bring back what is taken away here.
    await journals.settle()
    const folders = new Set<string>()
    let removed = 0
    const gone: ColdChunk[] = []
    for (const [file, meant] of byFile(chunks)) {
      const taken = await takeOut(files, file, meant)
      removed += taken
      if (taken > 0) folders.add(files.folderOf(file))
      // One that was there no more, or not as it was, may have been stored anew.
      if (taken === meant.length) append(gone, meant)
    }
    for (const folder of folders) await files.syncFolder(folder)
    await trimIndex(files, root, gone)
    return removed
  }

  async function extend(chunks: readonly ColdChunk[], until: number): Promise<number> {
    // A journal still has the old time.
    await journals.settle()
    let extended = 0
    for (const [file, meant] of byFile(chunks)) extended += await keepUntil(files, file, meant, until)
    await extendInIndex(files, root, chunks, until)
    return extended
  }

  return { root, put, extend, remove, list: () => reader.list() }
}

function byFile(chunks: readonly ColdChunk[]): ReadonlyMap<string, readonly ColdChunk[]> {
  const files = new Map<string, ColdChunk[]>()
  for (const chunk of chunks) {
    const group = files.get(chunk.file)
    if (group === undefined) files.set(chunk.file, [chunk])
    else group.push(chunk)
  }
  return files
}

/** Takes records out of their file, and the file away when nothing else is in it. Answers how many there were. */
async function takeOut(files: WriteFiles, file: string, gone: readonly ColdChunk[]): Promise<number> {
  const stats = await files.stat(file)
  if (stats?.kind !== 'file' || stats.links > 1) return 0
  const ids = new Set(gone.map(keptAs))
  const lines = (await readTextFile(files, file)).split('\n')
  const kept = lines.filter((line) => {
    const read = readColdLine(line)
    return !read.ok || !ids.has(keptAs(read.record))
  })
  if (kept.every((line) => line.trim() === '')) await files.unlink(file)
  else if (kept.length < lines.length)
    await writeFlushed(files, file, [new TextEncoder().encode(kept.join('\n'))])
  return lines.length - kept.length
}

/** Writes the file anew with another time in the records that are meant. Answers how many there were. */
async function keepUntil(
  files: WriteFiles,
  file: string,
  meant: readonly ColdChunk[],
  until: number,
): Promise<number> {
  const stats = await files.stat(file)
  if (stats?.kind !== 'file' || stats.links > 1) return 0
  const ids = idsOf(meant)
  let found = 0
  const lines = (await readTextFile(files, file)).split('\n').map((line) => {
    const kept = isOneOf(ids, line) ? lineKeptUntil(line, until) : null
    if (kept !== null) found += 1
    return kept ?? line
  })
  if (found > 0) await writeFlushed(files, file, [new TextEncoder().encode(lines.join('\n'))])
  return found
}

/** Names a record as long as it is to be kept until the same time. */
function keptAs({ at, until, chunkId }: ColdRecord): string {
  // As it is written: to the millisecond.
  return `${at} ${until === null ? until : Math.trunc(until)} ${chunkId}`
}

function idsOf(chunks: readonly ColdChunk[]): ReadonlySet<string> {
  return new Set(chunks.map(({ chunkId, at }) => `${at} ${chunkId}`))
}

function isOneOf(ids: ReadonlySet<string>, line: string): boolean {
  const read = readColdLine(line)
  return read.ok && ids.has(`${read.record.at} ${read.record.chunkId}`)
}

async function makeRoot(files: WriteFiles, root: string): Promise<void> {
  if ((await files.stat(root)) !== null) return
  await files.makeFolder(root)
  await files.syncFolder(files.folderOf(root))
}
