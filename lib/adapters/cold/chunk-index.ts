import { INDEX, isColdText } from '../../core/cold/layout'
import { runsOf } from '../../core/cold/search-index'
import { isObject } from '../../core/transcript/json'
import type { ColdChunk, StoredChunk } from '../../engine/cold/cold-store'
import { writeAll } from '../../engine/write/file-state'
import { readTextFile } from '../../engine/write/read-text'
import type { FileStat, WriteFiles } from '../../engine/write/write-ports'
import { writeFlushed } from '../write/flushed-file'

/** Words of a chunk that the index has: as many as memfas takes. */
const KEYWORDS = 100

/** The index tells by its beginning whether it is one. Bytes. */
const HEAD = 64 * 1024

/**
 * Adds chunks to the index that memfas searches, so that it finds what we have stored. It is not flushed, and nothing
 * of ours depends on it. A file of that name that is no such index stays as it is.
 */
export async function addToIndex(
  files: WriteFiles,
  root: string,
  chunks: readonly Pick<StoredChunk, 'record'>[],
): Promise<void> {
  const path = files.join(root, INDEX)
  const stats = await files.stat(path)
  if (stats !== null && !(await isIndex(files, path, stats))) return
  const text = chunks.map((chunk) => `${indexLine(chunk)}\n`).join('')
  const file = stats === null ? await files.create(path, 0o600) : await files.openEnd(path)
  try {
    await writeAll(file, new TextEncoder().encode(text))
  } finally {
    await file.close()
  }
}

async function isIndex(files: WriteFiles, path: string, { kind, links, size }: FileStat): Promise<boolean> {
  if (kind !== 'file' || links > 1) return false
  const head = await readTextFile(files, path, { start: 0, end: Math.min(size, HEAD) })
  // The last line may be cut off by the end of what was read.
  const whole = size > HEAD ? head.slice(0, head.lastIndexOf('\n') + 1) : head
  if (size > 0 && whole === '') return false
  return isColdText({ kind: 'index' }, whole)
}

/** Takes the lines of removed chunks out of the index; all others stay to the byte. */
export async function trimIndex(
  files: WriteFiles,
  root: string,
  chunks: readonly ColdChunk[],
): Promise<void> {
  const path = files.join(root, INDEX)
  if (chunks.length === 0 || (await files.stat(path)) === null) return
  const gone = new Set(chunks.map(({ sessionId, chunkId }) => keyOf(sessionId, chunkId)))
  const text = await readTextFile(files, path)
  const kept = text.split('\n').filter((line) => !gone.has(keyOfLine(line)))
  const left = kept.join('\n')
  if (left !== text) await writeFlushed(files, path, [new TextEncoder().encode(left)])
}

/** Says in the index that chunks are kept until another time; all other lines stay to the byte. */
export async function extendInIndex(
  files: WriteFiles,
  root: string,
  chunks: readonly ColdChunk[],
  until: number,
): Promise<void> {
  const path = files.join(root, INDEX)
  if (chunks.length === 0 || (await files.stat(path)) === null) return
  const meant = new Set(chunks.map(({ sessionId, chunkId }) => keyOf(sessionId, chunkId)))
  const text = await readTextFile(files, path)
  const lines = text.split('\n').map((line) => {
    if (!meant.has(keyOfLine(line))) return line
    return JSON.stringify({ ...JSON.parse(line), recoverable_until: new Date(until).toISOString() })
  })
  await writeFlushed(files, path, [new TextEncoder().encode(lines.join('\n'))])
}

function indexLine({ record }: Pick<StoredChunk, 'record'>): string {
  const { chunkId, sessionId, at, until, tokens, content } = record
  const keywords = new Set<string>()
  for (const word of runsOf(content)) {
    keywords.add(word)
    if (keywords.size === KEYWORDS) break
  }
  return JSON.stringify({
    chunk_id: chunkId,
    session_id: sessionId,
    timestamp: at === null ? null : new Date(at).toISOString(),
    recoverable_until: until === null ? null : new Date(until).toISOString(),
    tokens,
    keywords: [...keywords],
  })
}

function keyOfLine(line: string): string {
  try {
    const value: unknown = JSON.parse(line)
    if (isObject(value)) return keyOf(value.session_id, value.chunk_id)
  } catch {
    // Not ours to judge: it stays.
  }
  return ''
}

function keyOf(session: unknown, chunk: unknown): string {
  return JSON.stringify([session, chunk])
}
