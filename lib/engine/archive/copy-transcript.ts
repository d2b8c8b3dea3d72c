import { type ArchivedVersion, BLOCK_BYTES, blockSize } from '../../core/archive/archived-version'
import type { Bytes } from '../../core/units/units'
import type { Clock, FoundStore, FoundTranscript, SourceStamp } from '../read/ports'
import type { Hasher } from '../write/write-ports'
import type { ArchiveFolder, ArchiveSource } from './archive-ports'

export type CopyIo = {
  readonly folder: Pick<ArchiveFolder, 'hasBlock' | 'putBlock' | 'putVersion'>
  readonly sha256: () => Hasher
  readonly clock: Clock
  /** Called with the bytes of a block before it is kept. @throws ArchiveFull */
  readonly demandRoom: (bytes: Bytes) => void
  /** Called with what it took on disk. */
  readonly onAdded: (bytes: Bytes) => void
  /** Ends the copy between two blocks; nothing of it is there then. */
  readonly signal?: AbortSignal | undefined
}

/** The archive has no room for a block. */
export class ArchiveFull extends Error {
  override readonly name = 'ArchiveFull'
}

export type Copied = {
  readonly version: ArchivedVersion
  /** A block of the version before may be named by nothing now. */
  readonly leftBehind: boolean
}

type Pieces = {
  readonly blocks: readonly string[]
  readonly size: Bytes
  readonly sha256: string | null
  /** All bytes of the version before are at its beginning. */
  readonly isGrowth: boolean
}

/**
 * Copies a transcript: blocks first, what names them last, so that a copy is there whole or not at all. Of a file that
 * grew, only what is behind the last whole block is read, unless `whole` is wanted. No more than one block is in memory.
 * @param before the newest version in the archive
 * @throws ArchiveFull, SourceProblem
 */
export async function copyTranscript(
  io: CopyIo,
  { store, transcript }: { readonly store: FoundStore; readonly transcript: FoundTranscript },
  source: ArchiveSource,
  before: ArchivedVersion | null,
  whole: boolean,
): Promise<Copied> {
  const entry = whole ? 0 : entryBlock(before, source)
  const pieces =
    (entry === 0 ? null : await readOn(io, source, before, entry)) ?? (await readAll(io, source, before))
  const isSame = before !== null && pieces.isGrowth && before.size === pieces.size
  const version = versionOf(io, { store, transcript }, source, { before, pieces })
  if (before !== null && !pieces.isGrowth) {
    await io.folder.putVersion({ ...before, replacedAt: io.clock.now() })
  }
  await io.folder.putVersion(version)
  return { version, leftBehind: before !== null && !isSame }
}

/** Number of the block from which on a file that seems to have grown is read; 0: from its beginning. */
function entryBlock(before: ArchivedVersion | null, { form, stamp }: ArchiveSource): number {
  if (before === null || form !== 'file' || before.form !== 'file') return 0
  const { dev, ino, size } = before.stamp
  const isSameFile = stamp.dev === dev && stamp.ino === ino && stamp.size >= size
  return isSameFile ? Math.max(0, before.blocks.length - 1) : 0
}

/** Reads from a block on; null when the file does not begin with what is known of it. */
async function readOn(
  io: CopyIo,
  source: ArchiveSource,
  before: ArchivedVersion | null,
  entry: number,
): Promise<Pieces | null> {
  if (before === null || !(await beginsAs(io, source, before))) return null
  const start = { blocks: before.blocks.slice(0, entry), size: entry * BLOCK_BYTES }
  const pieces = await readBlocks(io, source, before, start, null)
  return pieces.isGrowth ? pieces : null
}

async function readAll(io: CopyIo, source: ArchiveSource, before: ArchivedVersion | null): Promise<Pieces> {
  const hasher = io.sha256()
  const pieces = await readBlocks(io, source, before, { blocks: [], size: 0 }, hasher)
  const isStill = sameStamp(await source.stampNow(), source.stamp)
  // Two readings of a file that is written meanwhile need not fit together; a later one tells.
  return { ...pieces, sha256: isStill ? hasher.digest() : null }
}

async function beginsAs(io: CopyIo, source: ArchiveSource, before: ArchivedVersion): Promise<boolean> {
  for await (const block of source.blocks(0)) return digest(io, block) === before.blocks[0]
  return false
}

async function readBlocks(
  io: CopyIo,
  source: ArchiveSource,
  before: ArchivedVersion | null,
  start: { readonly blocks: readonly string[]; readonly size: Bytes },
  whole: Hasher | null,
): Promise<Pieces> {
  const blocks = [...start.blocks]
  let { size } = start
  let isGrowth = true
  for await (const block of source.blocks(start.blocks.length)) {
    io.signal?.throwIfAborted()
    whole?.update(block)
    const at = blocks.length
    const hash = digest(io, block)
    if (before !== null && at < before.blocks.length) {
      const held = blockSize(before, at)
      const begins = block.length === held ? hash : digest(io, block.subarray(0, held))
      isGrowth &&= block.length >= held && begins === before.blocks[at]
    }
    if (!(await io.folder.hasBlock(hash))) {
      io.demandRoom(block.length)
      io.onAdded(await io.folder.putBlock(hash, block))
    }
    blocks.push(hash)
    size += block.length
  }
  if (before !== null && blocks.length < before.blocks.length) isGrowth = false
  return { blocks, size, sha256: null, isGrowth }
}

function versionOf(
  io: CopyIo,
  { store, transcript }: { readonly store: FoundStore; readonly transcript: FoundTranscript },
  { form, stamp, mode }: ArchiveSource,
  { before, pieces }: { readonly before: ArchivedVersion | null; readonly pieces: Pieces },
): ArchivedVersion {
  const { id, kind, era, root, label } = store
  const { sessionId, key, agent, path, state, index } = transcript
  const { blocks, size, sha256, isGrowth } = pieces
  return {
    format: 1,
    id: transcript.id,
    number: before === null ? 1 : before.number + (isGrowth ? 0 : 1),
    store: { id, kind, era, root, label },
    sessionId,
    key,
    agent,
    path,
    state,
    index,
    form,
    stamp,
    mode,
    size,
    blocks,
    sha256,
    copiedAt: io.clock.now(),
    replacedAt: null,
  }
}

/** Whether nothing tells two looks at a source apart. */
export function sameStamp(a: SourceStamp, b: SourceStamp): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs
}

function digest({ sha256 }: CopyIo, bytes: Uint8Array): string {
  const hasher = sha256()
  hasher.update(bytes)
  return hasher.digest()
}
