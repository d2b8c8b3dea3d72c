import { archiveFolder } from '../adapters/archive/archive-folder'
import { sha256 } from '../adapters/write/sha256'
import { BLOCK_BYTES } from '../core/archive/archived-version'
import { ArchiveKeeper, type KeeperContext } from '../engine/archive/archive-keeper'
import type { ArchiveFolder, ArchiveSource, ArchiveSources } from '../engine/archive/archive-ports'
import { readArchived } from '../engine/archive/read-archived'
import type { FoundStore, FoundTranscript, SourceStamp } from '../engine/read/ports'
import { SourceProblem } from '../engine/read/source-problem'
import type { WriteFiles } from '../engine/write/write-ports'

export const ARCHIVE_ROOT = '/home/archive'

export const ARCHIVE_STORE: FoundStore = {
  id: '0123456789ab',
  kind: 'openclaw',
  era: 'jsonl',
  root: '/store',
  label: 'OpenClaw',
  state: 'ok',
}

let unique = 0

/** The archive on any disk, for one process that a test pretends to be. */
export function testArchive(files: WriteFiles): ArchiveFolder {
  return archiveFolder(
    {
      files,
      sha256,
      unique: () => (++unique).toString(16),
      freeBytes: async () => null,
      alone: async (work) => ({ value: await work() }),
    },
    ARCHIVE_ROOT,
  )
}

/** A transcript file in memory, as its store lists it. */
export type TestFile = { readonly found: FoundTranscript; content: Uint8Array; stamp: SourceStamp }

/** @param name made into an id: hex digits @param mtimeMs milliseconds */
export function testFile(name: string, content: Uint8Array, mtimeMs: number): TestFile {
  const stamp = { dev: 1, ino: Number.parseInt(name, 16), size: content.length, mtimeMs }
  const found: FoundTranscript = {
    id: name.padStart(16, '0'),
    storeId: ARCHIVE_STORE.id,
    sessionId: name,
    key: `agent:main:${name}`,
    agent: 'main',
    path: `/store/${name}.jsonl`,
    state: 'live',
    stamp,
    index: null,
  }
  return { found, content, stamp }
}

/** Writes a file anew: as it would look to `stat` afterwards. */
export function rewrite(file: TestFile, content: Uint8Array, mtimeMs: number): TestFile {
  const stamp = { ...file.stamp, size: content.length, mtimeMs }
  return { found: { ...file.found, stamp }, content, stamp }
}

/** Opens the files that are in `files` at that moment; counts the bytes that were read. */
function testSources(files: ReadonlyMap<string, TestFile>): ArchiveSources & { read: number } {
  const sources = {
    read: 0,
    open: async (_: FoundStore, { id, path }: FoundTranscript): Promise<ArchiveSource> => {
      const file = files.get(id)
      if (file === undefined) throw new SourceProblem('missing', path, `${path} is not there (any more).`)
      return {
        form: 'file',
        stamp: file.stamp,
        mode: 0o600,
        blocks: async function* (from) {
          for (let at = from * BLOCK_BYTES; at < file.content.length; at += BLOCK_BYTES) {
            const block = file.content.subarray(at, at + BLOCK_BYTES)
            sources.read += block.length
            yield block
          }
        },
        stampNow: async () => files.get(id)?.stamp ?? file.stamp,
        close: () => undefined,
      }
    },
  }
  return sources
}

/** One listing of all files, and one pass of a keeper that is new unless it is given. */
export async function keepOnce(
  folder: ArchiveFolder,
  files: readonly TestFile[],
  given: Partial<KeeperContext> = {},
  keeper?: ArchiveKeeper,
) {
  const context = keeperContext(folder, files, given)
  const used = keeper ?? new ArchiveKeeper(context)
  used.takeListing(
    ARCHIVE_STORE,
    files.map(({ found }) => found),
    true,
  )
  return used.pass({ eager: true })
}

export function keeperContext(
  folder: ArchiveFolder,
  files: readonly TestFile[],
  given: Partial<KeeperContext> = {},
): KeeperContext {
  return {
    folder,
    sources: testSources(new Map(files.map((file) => [file.found.id, file]))),
    sha256,
    clock: { now: () => 1_000 },
    limits: { quotaBytes: 1e9, keepMs: 86_400_000 },
    deletionOf: () => null,
    ...given,
  }
}

/** All bytes of the newest copy; null when there is none. @throws ArchiveDamage */
export async function archivedBytes(folder: ArchiveFolder, { found }: TestFile): Promise<Buffer | null> {
  const version = await folder.newest(found.id)
  if (version === null) return null
  const blocks: Uint8Array[] = []
  for await (const block of readArchived({ folder, sha256 }, version)) blocks.push(block)
  return Buffer.concat(blocks)
}
