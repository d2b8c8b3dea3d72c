import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import type { Bytes } from '../../core/units/units'
import { errorCode, kindOf } from '../files/regular-file'

export type Rotation = {
  /** A file that would grow beyond this is put aside first. Bytes. */
  readonly maxBytes: Bytes
  /** So many that were put aside are kept. */
  readonly keep: number
}

export const ROTATION: Rotation = { maxBytes: 10 * 1024 * 1024, keep: 5 }

/** A rotation that takes longer was cut short by a crash. Milliseconds. */
const STALE_ROTATION_MS = 60_000

const NEWLINE = 10

/** Appends, never follows a link, never waits for the other end of a pipe. Windows knows neither. */
const APPEND =
  constants.O_RDWR |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0)

/**
 * Appends lines with a single write, so that those of several processes never mix. A line that a crash cut short is
 * ended first. Files and folders that are made are the owner's alone.
 * @param lines without newlines
 * @returns why a file that is too large was not put aside and goes on growing; null when nothing is wrong
 * @throws Error of the file system; what was written before it is
 */
export function appendLog(
  file: string,
  lines: readonly string[],
  rotation: Rotation = ROTATION,
): string | null {
  if (lines.length === 0) return null
  const text = `${lines.join('\n')}\n`
  const bytes = Buffer.byteLength(text)
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const obstacle = outgrows(file, bytes, rotation) ? rotate(file, bytes, rotation) : null
  const fd = openSync(file, APPEND, 0o600)
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile()) throw new Error(`${file} is ${kindOf(stat)}, not a regular file`)
    const data = Buffer.from(endsTorn(fd, stat.size) ? `\n${text}` : text)
    const written = writeSync(fd, data)
    if (written < data.length) throw new Error(`${file}: only ${written} of ${data.length} bytes fitted`)
    return obstacle
  } finally {
    closeSync(fd)
  }
}

function endsTorn(fd: number, size: number): boolean {
  if (size === 0) return false
  const last = Buffer.alloc(1)
  return readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE
}

function outgrows(file: string, bytes: Bytes, { maxBytes }: Rotation): boolean {
  const size = lstatSync(file, { throwIfNoEntry: false })?.size ?? 0
  return size > 0 && size + bytes > maxBytes
}

/**
 * Moves `x` to `x.1`, `x.1` to `x.2` and so on; the oldest is lost. One process at a time; the others append to what
 * there is. Where something lies under one of these names that is no log, nothing is moved.
 * @returns what is in the way
 */
function rotate(file: string, bytes: Bytes, rotation: Rotation): string | null {
  const mark = `${file}.rotating`
  if (!takeMark(mark)) return null
  try {
    // Another process may have been faster.
    if (!outgrows(file, bytes, rotation)) return null
    const aged = Array.from({ length: rotation.keep }, (_, i) => `${file}.${i + 1}`)
    const foreign =
      aged.find((name) => !isFreeOrPlain(name)) ?? (isLog(aged.at(-1) ?? file) ? null : aged.at(-1))
    if (foreign !== null && foreign !== undefined)
      return `${file} is not put aside and goes on growing: ${foreign} is no log that Plimsoll put aside. Move it away.`
    for (let age = rotation.keep - 1; age >= 1; age--) moveIfThere(`${file}.${age}`, `${file}.${age + 1}`)
    if (rotation.keep > 0) renameSync(file, `${file}.1`)
    else unlinkSync(file)
    return null
  } finally {
    unlinkIfThere(mark)
  }
}

/** Nothing, or a regular file with one name. */
function isFreeOrPlain(name: string): boolean {
  const stats = lstatSync(name, { throwIfNoEntry: false })
  return stats === undefined || (stats.isFile() && stats.nlink === 1)
}

/** A log tells by its beginning that it is one: JSON objects, a line each. Bytes. */
const HEAD = 64 * 1024

/**
 * Whether a file may be lost as the oldest log: nothing there, or lines of JSON, of which a crash may have torn some.
 */
function isLog(name: string): boolean {
  if (lstatSync(name, { throwIfNoEntry: false }) === undefined) return true
  const fd = openSync(name, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    const head = Buffer.alloc(HEAD)
    const size = readSync(fd, head, 0, HEAD, 0)
    const text = head.subarray(0, size).toString('utf8')
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    return size === 0 || whole.split('\n').some((line) => line.startsWith('{') && isJson(line))
  } finally {
    closeSync(fd)
  }
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

function takeMark(mark: string): boolean {
  try {
    closeSync(openSync(mark, 'wx', 0o600))
    return true
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    const stats = lstatSync(mark, { throwIfNoEntry: false })
    const isStale = stats?.isFile() && stats.size === 0 && Date.now() - stats.mtimeMs > STALE_ROTATION_MS
    // Taken away now, so that the next one rotates: two that find it stale must not both go on.
    if (isStale) unlinkIfThere(mark)
    return false
  }
}

function moveIfThere(from: string, to: string): void {
  if (lstatSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, to)
}

function unlinkIfThere(file: string): void {
  try {
    unlinkSync(file)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}
