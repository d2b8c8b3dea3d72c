import { type ColdRecord, coldLine, lineKeptUntil, readColdLine } from '../../core/cold/record'
import type { ColdChunk, ColdStore, StoredChunk } from '../../engine/cold-store'
import { writeAll } from '../../engine/file-state'
import { systemCode } from '../../engine/refusal'
import type { WriteFiles } from '../../engine/write-ports'
import { writeFlushed } from '../write/flushed-file'
import { addToIndex, extendInIndex, trimIndex } from './chunk-index'
import { coldPlace } from './cold-place'
import { ColdReader } from './cold-reader'
import { Journals } from './journals'
import { readText } from './read-text'

/** Chunks of one session with the same id. */
const MOST_TWINS = 10_000

/**
 * Cold storage as memfas lays it out: `<root>/<session>/<chunk>.jsonl`, one record in each file. Several chunks that are
 * stored together are flushed once, in a journal; their own files follow and are flushed when the journal is settled.
 * @param unique a name that no other process uses
 */
export function fileColdStore(files: WriteFiles, root: string, unique: () => string): ColdStore {
  const journals = new Journals(files, root)
  const reader = new ColdReader(files, root, journals)

  async function put(records: readonly ColdRecord[]): Promise<readonly StoredChunk[]> {
    const written: string[] = []
    const stored: StoredChunk[] = []
    const together = records.length > 1
    let journal: string | null = null
    try {
      await makeRoot(files, root)
      for (const record of records) {
        const claimed = await claim(files, root, record, !together)
        stored.push(claimed)
        if (claimed.isNew) written.push(claimed.file)
      }
      if (together) journal = await journals.write(unique(), stored)
    } catch (error) {
      for (const file of written) await files.unlink(file).catch(() => undefined)
      if (journal !== null) await files.unlink(journal).catch(() => undefined)
      throw error
    }
    // Only a help for those who look things up there; what stands in it can be found without it.
    await addToIndex(files, root, stored).catch(() => undefined)
    return stored
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
      if (taken === meant.length) gone.push(...meant)
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

type Claimed = StoredChunk & { readonly isNew: boolean }

/** Writes a record into a file that no other chunk has; what stands somewhere already is not written again. */
async function claim(
  files: WriteFiles,
  root: string,
  record: ColdRecord,
  flushed: boolean,
): Promise<Claimed> {
  for (let twin = 1; twin < MOST_TWINS; twin++) {
    const chunkId = twin === 1 ? record.chunkId : `${record.chunkId}-${twin}`
    const named = { ...record, chunkId }
    const file = coldPlace(files, root, named)
    const text = `${coldLine(named)}\n`
    await makeFolderOf(files, root, file)
    const seen = await files.look(file)
    if (seen === null) {
      if (!(await writeNew(files, file, text, flushed))) continue
      if (flushed) await files.syncFolder(files.folderOf(file))
      return { record: named, file, isNew: true }
    }
    if (seen.kind === 'file' && (await readText(files, file)) === text) {
      if (flushed) await flush(files, file)
      return { record: named, file, isNew: false }
    }
  }
  throw new Error(`More than ${MOST_TWINS} chunks of ${record.sessionId} are called ${record.chunkId}`)
}

/** Takes records out of their file, and the file away when nothing else stands in it. Answers how many there were. */
async function takeOut(files: WriteFiles, file: string, gone: readonly ColdChunk[]): Promise<number> {
  if ((await files.look(file))?.kind !== 'file') return 0
  const ids = new Set(gone.map(keptAs))
  const lines = (await readText(files, file)).split('\n')
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
  if ((await files.look(file))?.kind !== 'file') return 0
  const ids = idsOf(meant)
  let found = 0
  const lines = (await readText(files, file)).split('\n').map((line) => {
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
  return `${at} ${Math.trunc(until)} ${chunkId}`
}

function idsOf(chunks: readonly ColdChunk[]): ReadonlySet<string> {
  return new Set(chunks.map(({ chunkId, at }) => `${at} ${chunkId}`))
}

function isOneOf(ids: ReadonlySet<string>, line: string): boolean {
  const read = readColdLine(line)
  return read.ok && ids.has(`${read.record.at} ${read.record.chunkId}`)
}

async function makeRoot(files: WriteFiles, root: string): Promise<void> {
  if ((await files.look(root)) !== null) return
  await files.makeFolder(root)
  await files.syncFolder(files.folderOf(root))
}

/** A session's folder may be a link that somebody put there; nothing is written through it. */
async function makeFolderOf(files: WriteFiles, root: string, file: string): Promise<void> {
  const folder = files.folderOf(file)
  const seen = await files.look(folder)
  if (seen === null) {
    await files.makeFolder(folder)
    await files.syncFolder(root)
  } else if (seen.kind !== 'folder') {
    throw Object.assign(new Error(`${folder} is ${seen.what}, not a folder`), { code: 'ENOTDIR' })
  }
}

/** false when another process took the name meanwhile. */
async function writeNew(files: WriteFiles, path: string, text: string, flushed: boolean): Promise<boolean> {
  const file = await files.create(path, 0o600).catch((error: unknown) => {
    if (systemCode(error) === 'EEXIST') return null
    throw error
  })
  if (file === null) return false
  try {
    await writeAll(file, new TextEncoder().encode(text))
    if (flushed) await file.sync()
  } catch (error) {
    await file.close().catch(() => undefined)
    await files.unlink(path).catch(() => undefined)
    throw error
  }
  await file.close()
  return true
}

async function flush(files: WriteFiles, path: string): Promise<void> {
  const file = await files.openEnd(path)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
  await files.syncFolder(files.folderOf(path))
}
