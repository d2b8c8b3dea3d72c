import { Refused } from './refusal'
import type { FileStat, WriteFiles } from './write-ports'

/** A place that may be written: its real path, and what is there (null: nothing). */
export type SafeTarget = { readonly path: string; readonly seen: FileStat | null }

/**
 * Finds out where a write would really go, and refuses what must not be written: a place outside the store's folder,
 * anything but a regular file with a single name, and what is read-only by intent or in fact.
 * @throws Refused
 */
export async function safeTarget(files: WriteFiles, root: string, file: string): Promise<SafeTarget> {
  const realRoot = await files.realPath(root)
  const path = await resolve(files, file)
  const inside = path.startsWith(files.join(realRoot, '/'))
  if (!inside) {
    throw new Refused(
      'outside',
      `${file} leads out of the store, to ${path}; it is not written. Only files below ${realRoot} are.`,
    )
  }
  const stats = await files.stat(path)
  if (stats !== null) refuseOdd(file, stats)
  await refuseReadOnly(files, path, stats)
  return { path, seen: stats }
}

/** Links are followed, so that the file is replaced and not the link to it. */
async function resolve(files: WriteFiles, file: string): Promise<string> {
  const folder = await files.realPath(files.folderOf(file))
  const place = files.join(folder, files.nameOf(file))
  const stats = await files.stat(place)
  return stats?.kind === 'link' ? files.realPath(place) : place
}

function refuseOdd(file: string, seen: FileStat): void {
  if (seen.kind !== 'file') {
    throw new Refused('not-a-file', `${file} is ${seen.what}, not a regular file; it is not written.`)
  }
  if (seen.links > 1) {
    throw new Refused(
      'hard-linked',
      `${file} has ${seen.links} names (hard links). Replacing it would leave the others with the old content; make a copy of it under one name first.`,
    )
  }
}

async function refuseReadOnly(files: WriteFiles, path: string, seen: FileStat | null): Promise<void> {
  const folder = files.folderOf(path)
  if (!(await files.mayWrite(folder))) {
    throw new Refused('read-only', `The folder ${folder} is read-only, so ${path} cannot be replaced safely.`)
  }
  if (seen === null) return
  if ((seen.mode & 0o222) === 0 || !(await files.mayWrite(path))) {
    throw new Refused(
      'read-only',
      `${path} is read-only (mode ${(seen.mode & 0o777).toString(8).padStart(3, '0')}). Make it writable if it may be changed.`,
    )
  }
}
