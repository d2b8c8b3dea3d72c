import { closeSync, constants, openSync, readSync } from 'node:fs'
import { endianness } from 'node:os'
import type { Bytes } from '../../core/units/units'
import { summed } from './log-commits'

/**
 * The index beside a write-ahead log (`-shm`) begins with two copies of this header; see "WAL-Index File Format" in
 * SQLite's documentation (sqlite.org/walformat.html). Bytes.
 */
const HEADER = 48
const CHECKED = 40
const VERSION = 3007000
/** The log's own header, and what each frame in it has before its page. Bytes. */
const LOG_HEADER = 32
const FRAME_HEADER = 24

/**
 * Whether the index beside a write-ahead log is one of this log. With another one (of a copy taken during a write, say)
 * SQLite waits for a writer that does not exist. One that cannot be read does not fit.
 */
export function indexFits(file: string, logBytes: Bytes): boolean {
  try {
    return isIndexOf(file, beginningOf(`${file}-shm`, 2 * HEADER), logBytes)
  } catch {
    return false
  }
}

function isIndexOf(file: string, index: Buffer, logBytes: Bytes): boolean {
  const header = index.subarray(0, HEADER)
  if (index.length < 2 * HEADER || !header.equals(index.subarray(HEADER))) return false
  const number = (at: number) => (endianness() === 'LE' ? header.readUInt32LE(at) : header.readUInt32BE(at))
  if (number(0) !== VERSION || header[12] !== 1) return false
  const [one, two] = summed(header.subarray(0, CHECKED), endianness() === 'BE', [0, 0])
  if (one !== number(CHECKED) || two !== number(CHECKED + 4)) return false
  const frames = number(16)
  if (frames === 0) return true
  const pageSize = endianness() === 'LE' ? header.readUInt16LE(14) : header.readUInt16BE(14)
  // 65536 does not fit into two bytes.
  const page = pageSize === 1 ? 65536 : pageSize
  if (LOG_HEADER + frames * (page + FRAME_HEADER) > logBytes) return false
  const salts = beginningOf(`${file}-wal`, LOG_HEADER).subarray(16, 24)
  return salts.equals(header.subarray(32, 40))
}

function beginningOf(file: string, bytes: Bytes): Buffer {
  const fd = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const buffer = Buffer.alloc(bytes)
    return buffer.subarray(0, readSync(fd, buffer, 0, bytes, 0))
  } finally {
    closeSync(fd)
  }
}
