import { reasonOf } from '../../core/words/reason-of'
import { happened } from './commit-steps'
import { matchContent, unlinkIfThere } from './file-state'
import { writeTemporary } from './prepare-steps'
import type { FileChange, FileState } from './receipt'
import { temporaryPath } from './temporary-path'
import type { Writer } from './write-ports'

/**
 * What a rollback would have to do with a file. `none`: it is as it was before, or others have only added to it.
 * `lost`: another hand was there since. `unclear`: the same, and a part of what we added may be in front of theirs.
 */
type Way = 'none' | 'remove' | 'restore' | 'cut' | 'lost' | 'unclear'

/**
 * Puts every file back to what it was before, last change first. A file that another hand has changed since is left as
 * it is.
 * @param atOnce the locks were ours since the write: what is in a file of ours is ours, even if it is damaged
 * @returns what could not be put back, in sentences; empty when everything is as it was
 */
export async function rollBack(
  writer: Writer,
  changes: readonly FileChange[],
  receipt: string,
  atOnce: boolean,
): Promise<string[]> {
  const left: string[] = []
  for (const change of [...changes].reverse()) {
    try {
      const way = await wayBack(writer, change, receipt)
      const isDamaged = atOnce && way === 'lost' && (await isSameFile(writer, change))
      // The new name may be the only one that a moved file has left.
      if (way === 'remove' && left.length > 0) {
        left.push(`${change.path} stays, for the same reason.`)
        continue
      }
      const problem = await putBack(writer, change, receipt, isDamaged ? 'restore' : way)
      if (problem !== null) left.push(problem)
    } catch (error) {
      const why = reasonOf(error)
      left.push(`${change.path} could not be put back (${why})${keptAt(change)}.`)
    }
  }
  return left
}

/** Whether any file is not what it was before. */
export async function needsRollBack(
  writer: Writer,
  changes: readonly FileChange[],
  receipt: string,
): Promise<boolean> {
  for (const change of changes) if ((await wayBack(writer, change, receipt)) !== 'none') return true
  return false
}

/** The very file that this write put there. */
async function isSameFile({ files }: Writer, { path, after }: FileChange): Promise<boolean> {
  const stats = await files.stat(path)
  return stats !== null && stats.ino === after?.ino && stats.dev === after.dev && stats.size <= after.size
}

async function putBack(
  writer: Writer,
  change: FileChange,
  receipt: string,
  way: Way,
): Promise<string | null> {
  const { path, before } = change
  switch (way) {
    case 'none':
      return null
    case 'lost':
      return `${path} has been changed by another hand since${keptAt(change)}.`
    case 'unclear':
      return `${path} has grown since; should a line of this write have been torn, "plimsoll repair" finds it.`
    case 'remove':
      await writer.files.unlink(path)
      break
    case 'cut':
      await cutOff(writer, path, before?.size ?? 0)
      break
    case 'restore': {
      const problem = await restore(writer, change, receipt)
      if (problem !== null) return problem
    }
  }
  await writer.files.syncFolder(writer.files.folderOf(path))
  return null
}

function keptAt({ backup }: FileChange): string {
  return backup === null ? '' : `; what it held before is kept at ${backup}`
}

async function wayBack(writer: Writer, change: FileChange, receipt: string): Promise<Way> {
  const { path, before, after } = change
  const stats = await writer.files.stat(path)
  if (stats === null) {
    if (before === null) return 'none'
    return after === null ? 'restore' : 'lost'
  }
  if (after !== null && (await happened(writer, change))) {
    if (stats.size > after.size) return 'lost'
    if (before === null) return 'remove'
    return isGrowth(before, after) ? 'cut' : 'restore'
  }
  if (before === null) return 'lost'
  switch (await matchContent(writer, path, before)) {
    case 'exactly':
      return 'none'
    case 'no':
      return 'lost'
    case 'at-start':
      if (after === null || stats.ino !== before.ino || !isGrowth(before, after)) return 'none'
      return (await isOurs(writer, path, before.size, stats.size, receipt)) ? 'cut' : 'unclear'
  }
}

/** Bytes were added to the very same file. */
function isGrowth(before: FileState, after: FileState): boolean {
  return before.ino === after.ino && before.dev === after.dev && before.size < after.size
}

/**
 * Whether all that is behind `start` is the beginning of what this write was to add, as its temporary file tells.
 * After a loss of power the system may have filled the end with zeros.
 */
async function isOurs(
  { files }: Writer,
  path: string,
  start: number,
  end: number,
  receipt: string,
): Promise<boolean> {
  const meant = temporaryPath(files, path, receipt)
  const size = (await files.stat(meant))?.size ?? 0
  if (end - start > size) return false
  const ours = await collect(files.read(meant), size)
  const found = await collect(files.read(path, { start, end }), end - start)
  const zerosFrom = found.findLastIndex((byte) => byte !== 0) + 1
  return found.every((byte, i) => byte === ours[i] || i >= zerosFrom)
}

async function collect(bytes: AsyncIterable<Uint8Array>, size: number): Promise<Uint8Array> {
  const all = new Uint8Array(size)
  let at = 0
  for await (const piece of bytes) {
    const wanted = piece.subarray(0, size - at)
    all.set(wanted, at)
    at += wanted.length
  }
  return all
}

async function cutOff(writer: Writer, path: string, size: number): Promise<void> {
  const file = await writer.files.openEnd(path)
  try {
    await file.truncate(size)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function restore(
  writer: Writer,
  { path, before, backup }: FileChange,
  receipt: string,
): Promise<string | null> {
  if (before === null || backup === null) return `${path} has no backup to be put back from.`
  const state = await writer.backups.check(backup, before.hash)
  if (state !== 'good') return `${path} could not be put back: its backup ${backup} is ${state}.`
  const temporary = temporaryPath(writer.files, path, receipt)
  await unlinkIfThere(writer.files, temporary)
  const content = () => writer.files.read(backup)
  await writeTemporary(writer, path, receipt, { content, mode: before.mode, owner: before })
  await writer.files.rename(temporary, path)
  return null
}
