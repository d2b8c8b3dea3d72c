import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { isObject } from '../../core/transcript/json'
import type { Source } from './source'
import { SOURCES } from './sources'

/** So much of a file is looked at, and no more lines of it than this. Bytes. */
const LOOK = 64 * 1024
const LINES = 40

/** Whose transcript a file is, by its first lines; null: of none of the runtimes that are translated. */
export function recogniseFile(file: string): Source | null {
  for (const line of firstLines(file)) {
    const found = SOURCES.find((source) => source.discovery.knows(line))
    if (found !== undefined) return found
  }
  return null
}

function* firstLines(file: string) {
  const lines = beginningOf(file).split('\n', LINES)
  for (const text of lines) {
    if (!text.startsWith('{')) continue
    try {
      const value: unknown = JSON.parse(text)
      if (isObject(value)) yield value
    } catch {
      // Cut off, or no JSON: other lines may tell.
    }
  }
}

/** The first bytes of a file as text; empty where it cannot be read, or is a link. */
export function beginningOf(file: string): string {
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
