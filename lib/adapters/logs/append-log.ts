import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { errorCode, kindOf } from '../regular-file'

export type Rotation = {
  /** A file that would grow beyond this is put aside first. Bytes. */
  readonly maxBytes: number
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
 * Appends lines with a single write, so that those of several processes never mix. A line that a crash cut short is ended
 * first. Files and folders that are made are the owner's alone.
 * @param lines without newlines
 * @throws Error of the file system; what was written before it stands
 */
export function appendLog(file: string, lines: readonly string[], rotation: Rotation = ROTATION): void {
  if (lines.length === 0) return
  const text = `${lines.join('\n')}\n`
  const bytes = Buffer.byteLength(text)
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  if (outgrows(file, bytes, rotation)) rotate(file, bytes, rotation)
  const fd = openSync(file, APPEND, 0o600)
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile()) throw new Error(`${file} is ${kindOf(stat)}, not a regular file`)
    const data = Buffer.from(endsTorn(fd, stat.size) ? `\n${text}` : text)
    const written = writeSync(fd, data)
    if (written < data.length) throw new Error(`${file}: only ${written} of ${data.length} bytes fitted`)
  } finally {
    closeSync(fd)
  }
}

function endsTorn(fd: number, size: number): boolean {
  if (size === 0) return false
  const last = Buffer.alloc(1)
  return readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE
}

function outgrows(file: string, bytes: number, { maxBytes }: Rotation): boolean {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return size > 0 && size + bytes > maxBytes
}

/** Moves `x` to `x.1`, `x.1` to `x.2` and so on. One process at a time; the others append to what there is. */
function rotate(file: string, bytes: number, rotation: Rotation): void {
  const mark = `${file}.rotating`
  if (!takeMark(mark)) return
  try {
    // Somebody may have been faster.
    if (!outgrows(file, bytes, rotation)) return
    for (let age = rotation.keep - 1; age >= 1; age--) moveIfThere(`${file}.${age}`, `${file}.${age + 1}`)
    if (rotation.keep > 0) renameSync(file, `${file}.1`)
    else unlinkSync(file)
  } finally {
    unlinkIfThere(mark)
  }
}

function takeMark(mark: string): boolean {
  try {
    closeSync(openSync(mark, 'wx', 0o600))
    return true
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    const since = statSync(mark, { throwIfNoEntry: false })?.mtimeMs
    // Taken away now, so that the next one rotates: two that find it stale must not both go on.
    if (since !== undefined && Date.now() - since > STALE_ROTATION_MS) unlinkIfThere(mark)
    return false
  }
}

function moveIfThere(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, to)
}

function unlinkIfThere(file: string): void {
  try {
    unlinkSync(file)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}
