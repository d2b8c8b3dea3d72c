import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import type { Bytes } from '../../core/units/units'

const BLOCK: Bytes = 128 * 1024
const NEWLINE = 0x0a

/**
 * The lines of a file from the last one backwards, until `take` asks for no more or `most` bytes were read. What is left of
 * the first line then is not handed on. Never waits for a pipe.
 * @returns false when there is no regular file that can be read
 */
export function readBackwards(path: string, most: Bytes, take: (line: string) => boolean): boolean {
  const fd = openOrNull(path)
  if (fd === null) return false
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile()) return false
    let end = stat.size
    const first = Math.max(0, stat.size - most)
    // What of the line before is read already, from its end on.
    let pieces: Buffer[] = []
    while (end > first) {
      const start = Math.max(first, end - BLOCK)
      const block = readBlock(fd, start, end - start)
      if (block === null) return true
      let lineEnd = block.length
      for (let at = block.lastIndexOf(NEWLINE); at >= 0; at = before(block, at)) {
        const line = Buffer.concat([block.subarray(at + 1, lineEnd), ...pieces]).toString('utf8')
        if (!take(line)) return true
        pieces = []
        lineEnd = at
      }
      pieces = [block.subarray(0, lineEnd), ...pieces]
      end = start
    }
    if (first === 0) take(Buffer.concat(pieces).toString('utf8'))
    return true
  } finally {
    closeSync(fd)
  }
}

function before(block: Buffer, at: number): number {
  return at === 0 ? -1 : block.lastIndexOf(NEWLINE, at - 1)
}

/** Null when the file has become shorter meanwhile. */
function readBlock(fd: number, start: number, length: number): Buffer | null {
  const block = Buffer.alloc(length)
  return readSync(fd, block, 0, length, start) === length ? block : null
}

function openOrNull(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch {
    return null
  }
}
