import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import type { Bytes } from '../../core/units/units'

/** So much of a file is looked at. */
const LOOK: Bytes = 64 * 1024

/** The first bytes of a file as text; empty where it cannot be read, or is a link. */
export function transcriptBeginning(file: string): string {
  return partOf(file, () => 0).replace(/^\uFEFF/, '')
}

/** The last bytes of a file as text, which may begin within a line; empty as above. */
export function transcriptEnd(file: string): string {
  return partOf(file, (size) => Math.max(0, size - LOOK))
}

function partOf(file: string, from: (size: Bytes) => Bytes): string {
  let fd: number
  try {
    fd = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0))
  } catch {
    // Reading it says what is wrong; what a link leads to may lie outside, and is not opened for this.
    return ''
  }
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile()) return ''
    const buffer = Buffer.allocUnsafe(Math.min(LOOK, stat.size))
    const read = readSync(fd, buffer, 0, buffer.length, from(stat.size))
    return buffer.toString('utf8', 0, read)
  } catch {
    return ''
  } finally {
    closeSync(fd)
  }
}
