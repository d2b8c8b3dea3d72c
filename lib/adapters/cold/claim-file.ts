import { type ColdRecord, coldLine, readColdLine } from '../../core/cold/record'
import type { StoredChunk } from '../../engine/cold/cold-store'
import { isSameChunk, renewedRecord } from '../../engine/cold/renew-record'
import { writeAll } from '../../engine/write/file-state'
import { readTextFile } from '../../engine/write/read-text'
import { systemCode } from '../../engine/write/refusal'
import type { WriteFiles } from '../../engine/write/write-ports'
import { writeFlushed } from '../write/flushed-file'
import { coldPlace } from './cold-place'

/** Chunks of one session with the same id. */
const MOST_TWINS = 10_000

/** A record in its file. */
export type Claimed = Pick<StoredChunk, 'record' | 'file'> & {
  /** The record of the same chunk that was there before; null when there was none. */
  readonly earlier: ColdRecord | null
  readonly change:
    | { readonly kind: 'new' | 'same' }
    /** `before` is what was in the file. What is there now has been flushed. */
    | { readonly kind: 'renewed'; readonly before: string }
}

/**
 * Writes a record into a file that no other chunk has. A chunk that is there already, with the same content, is not
 * written twice: its record is renewed.
 * @param flushed whether a new file is to be on the disk at once
 */
export async function claimFile(
  files: WriteFiles,
  root: string,
  record: ColdRecord,
  flushed: boolean,
): Promise<Claimed> {
  for (let twin = 1; twin < MOST_TWINS; twin++) {
    const chunkId = twin === 1 ? record.chunkId : `${record.chunkId}-${twin}`
    const named = { ...record, chunkId }
    const file = coldPlace(files, root, named)
    await makeFolderOf(files, root, file)
    const stats = await files.stat(file)
    if (stats === null) {
      if (!(await writeNew(files, file, `${coldLine(named)}\n`, flushed))) continue
      if (flushed) await files.syncFolder(files.folderOf(file))
      return { record: named, file, earlier: null, change: { kind: 'new' } }
    }
    const renewed = stats.kind === 'file' ? await renew(files, file, named, flushed) : null
    if (renewed !== null) return renewed
  }
  throw new Error(`More than ${MOST_TWINS} chunks of ${record.sessionId} are called ${record.chunkId}`)
}

/** Undoes a claim, as far as that can be done. */
export async function giveBack(files: WriteFiles, { file, change }: Claimed): Promise<void> {
  const undo = async () => {
    if (change.kind === 'new') await files.unlink(file)
    if (change.kind === 'renewed') await writeFlushed(files, file, [new TextEncoder().encode(change.before)])
  }
  await undo().catch(() => undefined)
}

/** null when another chunk is in the file. */
async function renew(
  files: WriteFiles,
  file: string,
  record: ColdRecord,
  flushed: boolean,
): Promise<Claimed | null> {
  const before = await readTextFile(files, file)
  const lines = before.split('\n')
  for (const [i, line] of lines.entries()) {
    const read = readColdLine(line)
    if (!read.ok || !isSameChunk(read.record, record)) continue
    const earlier = read.record
    const next = renewedRecord(earlier, record)
    const text = coldLine(next)
    if (text === line) {
      if (flushed) await flush(files, file)
      return { record: next, file, earlier, change: { kind: 'same' } }
    }
    const after = lines.with(i, text).join('\n')
    await writeFlushed(files, file, [new TextEncoder().encode(after)])
    return { record: next, file, earlier, change: { kind: 'renewed', before } }
  }
  return null
}

/** A session's folder may be a foreign link; nothing is written through it. */
async function makeFolderOf(files: WriteFiles, root: string, file: string): Promise<void> {
  const folder = files.folderOf(file)
  const stats = await files.stat(folder)
  if (stats === null) {
    await files.makeFolder(folder)
    await files.syncFolder(root)
  } else if (stats.kind !== 'folder') {
    throw Object.assign(new Error(`${folder} is ${stats.what}, not a folder`), { code: 'ENOTDIR' })
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
