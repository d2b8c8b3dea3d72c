import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** So much of a file is looked at. Bytes. */
const LOOK = 64 * 1024

/** The first bytes of a file as text; empty where it cannot be read, or is a link. */
export function transcriptBeginning(file: string): string {
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
    const read = readSync(fd, buffer, 0, buffer.length, 0)
    return buffer.toString('utf8', 0, read).replace(/^\uFEFF/, '')
  } catch {
    return ''
  } finally {
    closeSync(fd)
  }
}
