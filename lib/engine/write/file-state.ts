import type { FileState } from './receipt'
import type { ByteRange, FileStat, Hasher, WriteFiles, Writer } from './write-ports'

type Io = Pick<Writer, 'files' | 'sha256'>

/** A regular file as it is now, its bytes read once; null when none is there. */
export async function readFileState(io: Io, path: string): Promise<FileState | null> {
  const stats = await io.files.stat(path)
  if (stats === null || stats.kind !== 'file') return null
  return stateOf(stats, await hashOf(io, path))
}

/** SHA-256 of a file or of a part of it, hex. */
export function hashOf({ files, sha256 }: Io, path: string, range?: ByteRange): Promise<string> {
  return hashBytes(sha256(), files.read(path, range))
}

/** Hex digest of all that comes. */
export async function hashBytes(hasher: Hasher, bytes: AsyncIterable<Uint8Array>): Promise<string> {
  for await (const piece of bytes) hasher.update(piece)
  return hasher.digest()
}

export function stateOf(seen: FileStat, hash: string): FileState {
  const { dev, ino, size, mtimeNs, mode, uid, gid } = seen
  return { dev, ino, size, mtimeNs, mode, uid, gid, hash }
}

/** In which way a file is not what it was, for a reader; null when nothing tells them apart. */
export function difference(expected: FileState, seen: FileStat): string | null {
  if (seen.kind !== 'file') return `it is ${seen.what} now`
  if (seen.dev !== expected.dev || seen.ino !== expected.ino) return 'it was replaced by another file'
  if (seen.size !== expected.size) return `it had ${expected.size} bytes and has ${seen.size} now`
  if (seen.mtimeNs !== expected.mtimeNs) return 'it was written to'
  return null
}

/** Whether a file holds certain bytes, at its beginning or as a whole. */
export type ContentMatch = 'exactly' | 'at-start' | 'no'

/** Compares a file with what is known of some bytes, reading no more of it than these are long. */
export async function matchContent(
  io: Io,
  path: string,
  wanted: Pick<FileState, 'size' | 'hash'>,
): Promise<ContentMatch> {
  const stats = await io.files.stat(path)
  if (stats === null || stats.kind !== 'file' || stats.size < wanted.size) return 'no'
  if ((await hashOf(io, path, { start: 0, end: wanted.size })) !== wanted.hash) return 'no'
  return stats.size === wanted.size ? 'exactly' : 'at-start'
}

/** Writes everything, with as many calls as the system needs. */
export async function writeAll(
  file: { write(bytes: Uint8Array): Promise<number> },
  bytes: Uint8Array,
): Promise<void> {
  let rest = bytes
  while (rest.length > 0) {
    const taken = await file.write(rest)
    if (taken === 0) throw Object.assign(new Error('the system took none of the bytes'), { code: 'ENOSPC' })
    rest = rest.subarray(taken)
  }
}

/** Takes a file away if it is there; answers whether it was. Two processes may tidy up at the same time. */
export async function unlinkIfThere(files: WriteFiles, path: string): Promise<boolean> {
  if ((await files.stat(path)) === null) return false
  try {
    await files.unlink(path)
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return false
    throw error
  }
}
