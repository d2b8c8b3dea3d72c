import type { HeldLocks } from './acquire-locks'
import { matchContent, readFileState } from './file-state'
import type { PreparedStep } from './prepare-steps'
import type { FileChange } from './receipt'
import { Refused, systemCode } from './refusal'
import { temporaryPath } from './temporary-path'
import type { Writer } from './write-ports'
import { demandUnchanged } from './write-steps'

/** File systems without hard links answer one of these. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']

/**
 * Carries the steps out, each with one system call, after a last check at lock and file, and flushes the folders.
 * @param onBegin called with each path whose turn has come
 * @throws Refused, or what the file system said; some steps may be done then
 */
export async function commitSteps(
  writer: Writer,
  holds: HeldLocks,
  steps: readonly PreparedStep[],
  receipt: string,
  onBegin: (path: string) => void,
): Promise<void> {
  for (const step of steps) {
    await holds.demand(step.path)
    await demandUnchanged(writer, step.path, step.change.before)
    onBegin(step.path)
    await commitStep(writer, step, receipt)
  }
  for (const folder of new Set(steps.map(({ path }) => writer.files.folderOf(path)))) {
    await writer.files.syncFolder(folder)
  }
}

async function commitStep({ files }: Writer, step: PreparedStep, receipt: string): Promise<void> {
  const { kind, path, from, operation } = step
  const temporary = temporaryPath(files, path, receipt)
  switch (kind) {
    case 'replace':
      return files.rename(temporary, path)
    case 'create':
      return giveName(temporary, path)
    case 'adopt':
      if (from === null) throw new Error('A move without the file that is moved')
      return files.link(from, path)
    case 'remove':
      return files.unlink(path)
    case 'append':
      if (operation.op !== 'append') throw new Error('An addition without bytes')
      return append(operation.bytes)
  }

  /** `rename` would silently replace what appeared there meanwhile; `link` refuses to. */
  async function giveName(made: string, to: string): Promise<void> {
    try {
      await files.link(made, to)
    } catch (error) {
      if (!NO_LINKS.includes(systemCode(error) ?? '')) throw error
      return files.rename(made, to)
    }
    await files.unlink(made)
  }

  async function append(bytes: Uint8Array): Promise<void> {
    const file = await files.openEnd(path)
    try {
      const taken = await file.write(bytes)
      if (taken < bytes.length) {
        throw new Refused(
          'no-space',
          `${path}: the system took ${taken} of ${bytes.length} bytes, so the disk is probably full. Make room and try again.`,
        )
      }
      await file.sync()
    } finally {
      await file.close()
    }
  }
}

/**
 * Reads every file again and compares it with what was meant to be there. What others added behind it in the
 * meantime is theirs; the state that was written stays the one that the receipt names.
 * @returns the changes with the states that were found
 * @throws Refused when a file holds something else
 */
export async function verifySteps(writer: Writer, changes: readonly FileChange[]): Promise<FileChange[]> {
  const found: FileChange[] = []
  for (const change of changes) {
    const now = await readFileState(writer, change.path)
    const exact = change.after !== null && now?.hash === change.after.hash
    if (!exact && !(await happened(writer, change))) {
      throw new Refused('failed', `${change.path} does not hold what was written to it.`)
    }
    found.push(exact ? { ...change, after: now } : change)
  }
  return found
}

/** Whether a change has happened, judged by the bytes on disk: what others added at the end does not matter. */
export async function happened(writer: Writer, { path, before, after }: FileChange): Promise<boolean> {
  if (after === null) return (await writer.files.stat(path)) === null
  const found = await matchContent(writer, path, after)
  if (before === null || before.size < after.size) return found !== 'no'
  // The new content may be the beginning of the old one.
  return found !== 'no' && (await matchContent(writer, path, before)) === 'no'
}
