import { coldFileAt, isColdText } from '../../core/cold/layout'
import { parseLogFileName } from '../../core/logs/log-files'
import { isLogText } from '../../core/logs/recognise-log'
import { readTextFile } from '../write/read-text'
import type { WriteFiles } from '../write/write-ports'

/** Files of a place that were recognised, and what else lies there. Paths are absolute. */
export type FilesIn = {
  readonly files: readonly string[]
  /** Whatever is something else by place, kind or content. */
  readonly others: LeftAlone
}

/** How many things a removal leaves alone, since they are not what it removes, and some of them. */
type LeftAlone = { readonly count: number; readonly examples: readonly string[] }

/**
 * What is left alone in a folder, as a sentence.
 * @param notWhat why, as what follows `1 file that` and `2 files that`: `is not cold storage`, `are not cold storage`
 */
export function leftAloneText(
  folder: string,
  { count, examples }: LeftAlone,
  notWhat: { readonly one: string; readonly many: string },
): string {
  const [files, example] =
    count === 1
      ? [`1 file that ${notWhat.one}`, examples.join()]
      : [`${count} files that ${notWhat.many}`, `e.g. ${examples.join(', ')}`]
  return `Left alone in ${folder}: ${files} (${example}).`
}

/** So many of those that are left alone are named. */
export const MOST_EXAMPLES = 5

/** Below this the rest of a folder counts as one thing that is left alone. */
const MAX_DEPTH = 4

/** Larger files are no chunks. Bytes. */
const MAX_COLD = 256 * 1024 * 1024

/** A log tells by its beginning what it is. Bytes. */
const HEAD = 256 * 1024

/** The files of cold storage in its folder. */
export function coldFilesIn(files: WriteFiles, root: string): Promise<FilesIn> {
  return sortOut(files, root, (file) => isColdFile(files, root, file))
}

/** The context logs in their folder, those that were put aside as well. */
export function logFilesIn(files: WriteFiles, root: string): Promise<FilesIn> {
  return sortOut(files, root, (file) => isLogFile(files, root, file))
}

/**
 * Whether a path below the root is a file of cold storage: by its place, as a regular file with one name, and by its
 * content.
 */
export async function isColdFile(files: WriteFiles, root: string, path: string): Promise<boolean> {
  const place = coldFileAt(partsOf(files, root, path))
  if (place === null || !(await isPlain(files, path, MAX_COLD))) return false
  return isColdText(place, await readStart(files, path, MAX_COLD))
}

/** The same of a context log. */
export async function isLogFile(files: WriteFiles, root: string, path: string): Promise<boolean> {
  const [name = '', ...deeper] = partsOf(files, root, path)
  const log = parseLogFileName(name)
  if (log === null || deeper.length > 0 || !(await isPlain(files, path))) return false
  return isLogText(log.kind, await readStart(files, path, HEAD))
}

/** A regular file that has no other name, and is no larger. */
async function isPlain(files: WriteFiles, path: string, most = Number.POSITIVE_INFINITY): Promise<boolean> {
  const stats = await files.stat(path)
  return stats?.kind === 'file' && stats.links === 1 && stats.size <= most
}

/** Text of a file from its first byte on. */
function readStart(files: WriteFiles, path: string, most: number): Promise<string> {
  return readTextFile(files, path, { start: 0, end: most })
}

/** Names of folders and file below the root. */
function partsOf(files: WriteFiles, root: string, path: string): string[] {
  const parts: string[] = []
  for (let at = path; at !== root && at !== files.folderOf(at); at = files.folderOf(at))
    parts.unshift(files.nameOf(at))
  return parts
}

async function sortOut(
  files: WriteFiles,
  root: string,
  isOwn: (file: string) => Promise<boolean>,
): Promise<FilesIn> {
  const own: string[] = []
  const others = { count: 0, examples: [] as string[] }
  const leave = (path: string) => {
    others.count += 1
    if (others.examples.length < MOST_EXAMPLES) others.examples.push(path)
  }
  const walk = async (folder: string, depth: number): Promise<void> => {
    for (const name of [...(await files.list(folder))].sort()) {
      const path = files.join(folder, name)
      const kind = (await files.stat(path))?.kind
      if (kind === 'folder' && depth > 0) await walk(path, depth - 1)
      else if (kind === 'file' && (await isOwn(path))) own.push(path)
      else if (kind !== undefined) leave(path)
    }
  }
  if ((await files.stat(root))?.kind === 'folder') await walk(root, MAX_DEPTH)
  return { files: own, others }
}
