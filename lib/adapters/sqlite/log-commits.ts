import { closeSync, constants, openSync, readSync } from 'node:fs'

/** See "WAL File Format" in SQLite's documentation (sqlite.org/fileformat2.html#walformat). Bytes. */
const HEADER = 32
const FRAME_HEADER = 24
/** The last bit tells in which order the bytes of a number are summed up. */
const MAGIC = 0x377f0682
const VERSION = 3007000
/** A transaction larger than this, of which the end is missing, is not looked through. Bytes. */
const MOST_SEARCHED = 64 * 1024 * 1024

/**
 * Whether a write-ahead log holds a whole transaction. SQLite removes a log that holds none, when it closes it and
 * no other process has a lock. False as well for a log that cannot be read.
 */
export function holdsCommit(log: string): boolean {
  try {
    const fd = openSync(log, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      return findCommit(fd)
    } finally {
      closeSync(fd)
    }
  } catch {
    return false
  }
}

function findCommit(fd: number): boolean {
  const header = Buffer.alloc(HEADER)
  if (readSync(fd, header, 0, HEADER, 0) < HEADER) return false
  const magic = header.readUInt32BE(0)
  const page = header.readUInt32BE(8)
  const isPage = page >= 512 && page <= 65536 && (page & (page - 1)) === 0
  if ((magic & ~1) >>> 0 !== MAGIC || header.readUInt32BE(4) !== VERSION || !isPage) return false
  const isBigEndian = (magic & 1) === 1
  let sum = summed(header.subarray(0, 24), isBigEndian, [0, 0])
  if (!isSum(header.subarray(24), sum)) return false
  const frame = Buffer.alloc(FRAME_HEADER + page)
  for (let at = HEADER; at < MOST_SEARCHED; at += frame.length) {
    if (readSync(fd, frame, 0, frame.length, at) < frame.length) return false
    if (frame.readUInt32BE(0) === 0 || !frame.subarray(8, 16).equals(header.subarray(16, 24))) return false
    sum = summed(frame.subarray(0, 8), isBigEndian, sum)
    sum = summed(frame.subarray(FRAME_HEADER), isBigEndian, sum)
    if (!isSum(frame.subarray(16), sum)) return false
    // The last frame of a transaction says how many pages the database has then.
    if (frame.readUInt32BE(4) > 0) return true
  }
  return false
}

type Sum = readonly [number, number]

function isSum(bytes: Buffer, [one, two]: Sum): boolean {
  return bytes.readUInt32BE(0) === one && bytes.readUInt32BE(4) === two
}

/** The checksum of logs and their indexes, over pairs of numbers. */
export function summed(bytes: Buffer, isBigEndian: boolean, [one, two]: Sum): Sum {
  const number = (at: number) => (isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at))
  let first = one
  let second = two
  for (let at = 0; at < bytes.length; at += 8) {
    first = (first + number(at) + second) >>> 0
    second = (second + number(at + 4) + first) >>> 0
  }
  return [first, second]
}
