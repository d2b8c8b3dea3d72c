import { type BigIntStats, constants } from 'node:fs'
import {
  access,
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  unlink,
  utimes,
} from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { ByteRange, FileStat, OpenFile, WriteFiles } from '../../engine/write/write-ports'
import { errorCode, kindOf } from '../files/regular-file'
import { replaceByRename } from './rename-with-retry'

/** Size of one read. Bytes. */
const PIECE = 256 * 1024

/** Never waits for the other end of a pipe, never follows a link. Windows knows neither. */
const CAREFULLY = (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

/** Files of this machine. */
export const nodeWriteFiles: WriteFiles = {
  stat: async (path) => {
    try {
      return toSeen(await lstat(path, { bigint: true }))
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  },
  realPath: (path) => realpath(path),
  mayWrite: async (path) => {
    try {
      await access(path, constants.W_OK)
      return true
    } catch {
      return false
    }
  },
  read,
  create: async (path, mode) => toOpenFile(await open(path, 'wx', mode)),
  openEnd: async (path) => toOpenFile(await open(path, constants.O_WRONLY | constants.O_APPEND | CAREFULLY)),
  rename: replaceByRename,
  link,
  unlink,
  syncFolder: async (path) => {
    // Windows cannot open a folder; there the rename itself is written through.
    if (process.platform === 'win32') return
    const handle = await open(path, 'r')
    await handle.sync().finally(() => handle.close())
  },
  makeFolder: async (path) => {
    await mkdir(path, { recursive: true, mode: 0o700 })
  },
  list: async (folder) => {
    try {
      return await readdir(folder)
    } catch (error) {
      if (isMissing(error)) return []
      throw error
    }
  },
  touch: (path, at) => utimes(path, at / 1000, at / 1000),
  folderOf: dirname,
  nameOf: (path) => basename(path),
  join,
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')
}

function toSeen(stat: BigIntStats): FileStat {
  return {
    kind: stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : stat.isSymbolicLink() ? 'link' : 'other',
    what: kindOf(stat),
    dev: String(stat.dev),
    ino: String(stat.ino),
    size: Number(stat.size),
    mtimeNs: String(stat.mtimeNs),
    mode: Number(stat.mode) & 0o7777,
    uid: Number(stat.uid),
    gid: Number(stat.gid),
    links: Number(stat.nlink),
  }
}

async function* read(path: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
  const handle = await open(path, constants.O_RDONLY | CAREFULLY)
  try {
    let at = range?.start ?? 0
    const end = range?.end ?? Number.POSITIVE_INFINITY
    while (at < end) {
      // A separate buffer for each piece: the reader may keep it.
      const buffer = Buffer.allocUnsafe(Math.min(PIECE, end - at))
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, at)
      if (bytesRead === 0) return
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}

function toOpenFile(handle: FileHandle): OpenFile {
  return {
    write: async (bytes) => (await handle.write(bytes)).bytesWritten,
    setMode: (mode) => handle.chmod(mode),
    setOwner: (uid, gid) => handle.chown(uid, gid),
    truncate: (size) => handle.truncate(size),
    sync: () => handle.sync(),
    stat: async () => toSeen(await handle.stat({ bigint: true })),
    close: () => handle.close(),
  }
}
