import { closeSync, constants, openSync, readSync } from 'node:fs'

/** A header is never longer than this. Bytes. */
const HEADER = 64 * 1024

/** The working folder that a transcript's header names; null when it names none. */
export function workingFolderOf(file: string): string | null {
  let text: string
  try {
    const fd = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const bytes = Buffer.alloc(HEADER)
      text = bytes.toString('utf8', 0, readSync(fd, bytes, 0, HEADER, 0))
    } finally {
      closeSync(fd)
    }
    const header: unknown = JSON.parse(text.split('\n', 1)[0] ?? '')
    const folder = typeof header === 'object' && header !== null && 'cwd' in header ? header.cwd : null
    return typeof folder === 'string' ? folder : null
  } catch {
    // Damaged, or gone: there is nothing to compare with.
    return null
  }
}
