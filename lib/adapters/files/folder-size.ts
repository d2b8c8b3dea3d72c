import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Bytes, Milliseconds } from '../../core/units/units'

/** Regular files of a folder with an ending, by what is on the disk. */
export type FolderSize = {
  readonly files: number
  readonly bytes: Bytes
  /** Last write of the oldest one. */
  readonly oldest: Milliseconds
}

/** So many are counted; a folder with more is large anyway. */
const MOST_FILES = 20_000

/**
 * Sums up files in a folder and in the folders in it, one level down; links are not followed. null: there are none.
 * @param before only those that were not written to since
 */
export function folderSize(
  folder: string,
  ending: string,
  before = Number.POSITIVE_INFINITY,
): FolderSize | null {
  const sum = { files: 0, bytes: 0, oldest: Number.POSITIVE_INFINITY }
  addFiles(folder, ending, before, sum)
  for (const entry of entriesOf(folder))
    if (entry.isDirectory() && sum.files < MOST_FILES) addFiles(join(folder, entry.name), ending, before, sum)
  return sum.files === 0 ? null : sum
}

function addFiles(
  folder: string,
  ending: string,
  before: Milliseconds,
  sum: { -readonly [K in keyof FolderSize]: FolderSize[K] },
): void {
  for (const entry of entriesOf(folder)) {
    if (sum.files >= MOST_FILES) return
    if (!entry.isFile() || !entry.name.endsWith(ending)) continue
    const stat = statOf(join(folder, entry.name))
    if (stat === null || stat.mtimeMs >= before) continue
    sum.files += 1
    sum.bytes += stat.size
    sum.oldest = Math.min(sum.oldest, stat.mtimeMs)
  }
}

/** null: it is gone, or its folder may be listed and not entered. */
function statOf(path: string) {
  try {
    return lstatSync(path)
  } catch {
    return null
  }
}

/** What cannot be listed holds nothing that could be counted. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
