import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import type { Milliseconds } from '../../core/units/units'
import { errorCode, kindOf } from '../files/regular-file'

/** A lock file at one moment: which file it is, and what it says. */
export type LockSnapshot = {
  readonly dev: bigint
  readonly ino: bigint
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly mtimeMs: Milliseconds
}

/** A larger file is no lock. Bytes. */
const MAX_SIZE = 64 * 1024

const READ_ONLY = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

/** The lock file of a transcript: beside it, in the folder that the path really leads to, as the clients form it. */
export function lockFileOf(file: string): string {
  const absolute = path.resolve(file)
  return `${path.join(realpathSync.native(path.dirname(absolute)), path.basename(absolute))}.lock`
}

/** null when there is none. Throws when something else than a readable file is there. */
export function readLock(lockFile: string): LockSnapshot | null {
  let fd: number
  try {
    fd = openSync(lockFile, READ_ONLY)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    if (errorCode(error) === 'ELOOP') throw new Error(`${lockFile} is a symbolic link, not a lock file`)
    throw error
  }
  try {
    const stat = fstatSync(fd, { bigint: true })
    if (!stat.isFile()) throw new Error(`${lockFile} is ${kindOf(fstatSync(fd))}, not a lock file`)
    if (stat.size > MAX_SIZE) throw new Error(`${lockFile} has ${stat.size} bytes; that is no lock file`)
    return { dev: stat.dev, ino: stat.ino, text: readFileSync(fd, 'utf8'), mtimeMs: Number(stat.mtimeMs) }
  } finally {
    closeSync(fd)
  }
}

/** File systems without hard links answer a link with one of these. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']

/**
 * Makes the lock file; null when there is one already. Throws when it cannot be made; nothing is left behind then.
 * It gets its name when it is written: a process that ends in between would leave an empty lock, which others have to
 * take for one that is just being written.
 *
 * @param aside a path in the same folder that is used by nothing else
 */
export function createLock(lockFile: string, text: string, aside: string): LockSnapshot | null {
  const snapshot = writeLock(aside, text)
  if (snapshot === null) throw new Error(`${aside} is there already`)
  try {
    linkSync(aside, lockFile)
    return snapshot
  } catch (error) {
    const code = errorCode(error) ?? ''
    if (code === 'EEXIST') return null
    if (NO_LINKS.includes(code)) return writeLock(lockFile, text)
    throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

function writeLock(path: string, text: string): LockSnapshot | null {
  let fd: number
  try {
    fd = openSync(path, 'wx', 0o600)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return null
    throw error
  }
  try {
    const wanted = Buffer.from(text)
    if (writeSync(fd, wanted) !== wanted.length) throw new Error(`${path} could be written in part only`)
    const stat = fstatSync(fd, { bigint: true })
    return { dev: stat.dev, ino: stat.ino, text, mtimeMs: Number(stat.mtimeMs) }
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(fd)
  }
}

export function sameLock(one: LockSnapshot, other: LockSnapshot | null): boolean {
  return other !== null && one.dev === other.dev && one.ino === other.ino && one.text === other.text
}

/** Removes a lock of our own, unless another one is there by now. */
export function removeOwnLock(lockFile: string, own: LockSnapshot): void {
  if (sameLock(own, readLock(lockFile))) rmSync(lockFile, { force: true })
}

/**
 * Removes a lock that was judged stale. It is moved aside first and read once more: should another process have
 * put a fresh one in its place in between, that one goes back.
 *
 * @param aside a path in the same folder that is used by nothing else
 * @returns whether the stale lock is gone by our hand
 */
export function removeStaleLock(lockFile: string, stale: LockSnapshot, aside: string): boolean {
  if (!sameLock(stale, readLock(lockFile))) return false
  try {
    renameSync(lockFile, aside)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
  const moved = sameLock(stale, readLock(aside))
  if (!moved) putBack(aside, lockFile)
  unlinkSync(aside)
  return moved
}

function putBack(aside: string, lockFile: string): void {
  try {
    linkSync(aside, lockFile)
  } catch (error) {
    // A third one was faster; the owner of the lock that we moved finds out when it asks `stillHeld`.
    if (errorCode(error) !== 'EEXIST') throw error
  }
}
