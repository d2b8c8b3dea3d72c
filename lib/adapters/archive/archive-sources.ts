import { closeSync, read as readFile, type Stats, statSync } from 'node:fs'
import { promisify } from 'node:util'
import { BLOCK_BYTES } from '../../core/archive/archived-version'
import type { ArchiveSource, ArchiveSources } from '../../engine/archive/archive-ports'
import type { FoundStore, FoundTranscript, SourceStamp, StoreReader } from '../../engine/read/ports'
import { transcriptLines } from '../../engine/read/transcript-lines'
import { asSourceProblem, openInside, type RegularFile } from '../files/regular-file'
import { agentFolderOf, splitDatabasePath } from '../stores/openclaw-sqlite'

const readAt = promisify(readFile)

/**
 * Transcripts as the archive copies them: files by their bytes, whatever is in them; what is in a database as lines.
 * @param reader of the store, for what is in a database
 */
export function archiveSources(reader: StoreReader): ArchiveSources {
  return {
    open: async (store, transcript) =>
      isFile(store, transcript) ? openFile(store, transcript) : linesOf(reader, store, transcript),
  }
}

function isFile({ era }: FoundStore, { path }: FoundTranscript): boolean {
  if (splitDatabasePath(path).archive !== null) return false
  return era === 'jsonl' || path.endsWith('.zst')
}

function openFile(store: FoundStore, { path }: FoundTranscript): ArchiveSource {
  // Cold archives lie beside the database, which may be all that was named of the store.
  const root = store.era === 'jsonl' ? store.root : agentFolderOf(agentFolderOf(path))
  const file = openInside(root, path)
  return {
    form: 'file',
    stamp: stampOf(file.stat),
    mode: file.stat.mode & 0o7777,
    blocks: (from) => fileBlocks(path, file, from),
    stampNow: async () => {
      try {
        return stampOf(statSync(path))
      } catch (error) {
        throw asSourceProblem(error, path)
      }
    },
    close: () => closeSync(file.fd),
  }
}

async function* fileBlocks(
  path: string,
  { fd, stat }: RegularFile,
  from: number,
): AsyncGenerator<Uint8Array> {
  for (let start = from * BLOCK_BYTES; start < stat.size; start += BLOCK_BYTES) {
    const block = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, stat.size - start))
    let filled = 0
    while (filled < block.length) {
      const { bytesRead } = await readAt(fd, block, filled, block.length - filled, start + filled).catch(
        (error: unknown) => {
          throw asSourceProblem(error, path)
        },
      )
      // It was cut off meanwhile; what is there is a copy of nothing.
      if (bytesRead === 0) throw asSourceProblem(new Error('it became shorter while it was read'), path)
      filled += bytesRead
    }
    yield block
  }
}

function linesOf(reader: StoreReader, store: FoundStore, transcript: FoundTranscript): ArchiveSource {
  return {
    form: 'lines',
    stamp: transcript.stamp,
    mode: 0o600,
    blocks: () => cutIntoBlocks(transcriptLines(reader, store, transcript)),
    stampNow: async () => transcript.stamp,
    close: () => undefined,
  }
}

async function* cutIntoBlocks(lines: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let block = Buffer.allocUnsafe(BLOCK_BYTES)
  let filled = 0
  for await (const line of lines) {
    for (let at = 0; at < line.length; ) {
      const part = line.subarray(at, at + BLOCK_BYTES - filled)
      block.set(part, filled)
      filled += part.length
      at += part.length
      if (filled < BLOCK_BYTES) continue
      yield block
      block = Buffer.allocUnsafe(BLOCK_BYTES)
      filled = 0
    }
  }
  if (filled > 0) yield block.subarray(0, filled)
}

function stampOf({ dev, ino, size, mtimeMs }: Stats): SourceStamp {
  return { dev, ino, size, mtimeMs }
}
