import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bytes, Milliseconds } from '../../core/units/units'

/** Regular files of a folder with an ending, by what is on the disk. */
export type FolderSize = {
  readonly files: number
  readonly bytes: Bytes
  /** Last write of the oldest one. */
  readonly oldest: Milliseconds
  /** There may be more: not all were counted. */
  readonly isCut: boolean
}

/** So many are counted; a folder with more is large anyway. */
const MOST_FILES = 20_000

/**
 * Sums up files in a folder and in the folders in it, one level down; links are not followed. null: there are none.
 * @param before only those that were not written to since
 * @param most files that are counted
 */
export async function folderSize(
  folder: string,
  ending: string,
  before = Number.POSITIVE_INFINITY,
  most = MOST_FILES,
): Promise<FolderSize | null> {
  const sum = { files: 0, bytes: 0, oldest: Number.POSITIVE_INFINITY, isCut: false }
  const counted = { ending, before, most }
  await addFiles(folder, counted, sum)
  for (const entry of await entriesOf(folder)) {
    if (sum.isCut) break
    if (entry.isDirectory()) await addFiles(join(folder, entry.name), counted, sum)
  }
  return sum.files === 0 ? null : sum
}

async function addFiles(
  folder: string,
  { ending, before, most }: { readonly ending: string; readonly before: Milliseconds; readonly most: number },
  sum: { -readonly [K in keyof FolderSize]: FolderSize[K] },
): Promise<void> {
  for (const entry of await entriesOf(folder)) {
    if (!entry.isFile() || !entry.name.endsWith(ending)) continue
    const stat = await statOf(join(folder, entry.name))
    if (stat === null || stat.mtimeMs >= before) continue
    if (sum.files >= most) {
      sum.isCut = true
      return
    }
    sum.files += 1
    sum.bytes += stat.size
    sum.oldest = Math.min(sum.oldest, stat.mtimeMs)
  }
}

/** null: it is gone, or its folder may be listed and not entered. */
function statOf(path: string) {
  return lstat(path).catch(() => null)
}

/** What cannot be listed holds nothing that could be counted. */
function entriesOf(folder: string) {
  return readdir(folder, { withFileTypes: true }).catch(() => [])
}
