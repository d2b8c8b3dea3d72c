import { closeSync, constants, fstatSync, openSync, realpathSync, type Stats } from 'node:fs'
import path from 'node:path'
import { reasonOf } from '../../core/words/reason-of'
import { SourceProblem } from '../../engine/read/source-problem'

/** An open file that is known to be a regular one. Close it with `closeSync(fd)`. */
export type RegularFile = { readonly fd: number; readonly stat: Stats }

/**
 * Never waits: without O_NONBLOCK, opening a named pipe would block until a process writes to it. O_NOFOLLOW, since the
 * path was resolved before. Windows has neither.
 */
const READ_ONLY = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

/**
 * Opens a file of a store for reading.
 *
 * @param root real path of the store; a file whose real path lies elsewhere is refused.
 * @throws SourceProblem
 */
export function openInside(root: string, file: string): RegularFile {
  try {
    const real = realpathSync.native(file)
    if (!isInside(root, real)) {
      throw new SourceProblem(
        'outside',
        file,
        `${file} is a link that leads out of the store, to ${real}; it is not followed. Name that place as a separate store to read it.`,
      )
    }
    const fd = openSync(real, READ_ONLY)
    const stat = fstatSync(fd)
    if (stat.isFile()) return { fd, stat }
    closeSync(fd)
    throw new SourceProblem(
      'not-regular',
      file,
      `${file} is ${kindOf(stat)}, not a regular file; it is left alone.`,
    )
  } catch (error) {
    throw asSourceProblem(error, file)
  }
}

/** Whether `target` is `root` itself or lies below it. Both are real paths. */
export function isInside(root: string, target: string): boolean {
  return target === root || target.startsWith(root.endsWith(path.sep) ? root : root + path.sep)
}

type FileKind = Pick<Stats, 'isFile' | 'isDirectory' | 'isFIFO' | 'isSocket' | 'isSymbolicLink'>

/** What is there, in words. */
export function kindOf(entry: FileKind): string {
  if (entry.isFile()) return 'a file'
  if (entry.isDirectory()) return 'a folder'
  if (entry.isFIFO()) return 'a named pipe'
  if (entry.isSocket()) return 'a socket'
  return entry.isSymbolicLink() ? 'a symbolic link' : 'a device'
}

/** The code of a file-system error, e.g. `EACCES`; undefined for other errors. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

const ADVICE: { readonly [code: string]: string } = {
  EACCES: 'no permission to read it. Run Plimsoll as a user who may, or change its mode.',
  EPERM: 'no permission to read it. Run Plimsoll as a user who may, or change its mode.',
  EIO: 'the disk reports a read error. Check the disk; what was read before it counts.',
  ELOOP: 'its symbolic links lead in a circle. Correct the link.',
  EMFILE: 'too many open files. Raise the limit (`ulimit -n`) and try again.',
  ENFILE: 'too many open files on this machine. Try again later.',
  ENOTDIR: 'a part of the path is not a folder. Check the path.',
  EISDIR: 'it is a folder where a file was expected.',
  ESTALE: 'its network share has gone. Mount it again.',
}

/** Turns whatever the file system threw into a message that names the place and says what to do. */
export function asSourceProblem(error: unknown, file: string): SourceProblem {
  if (error instanceof SourceProblem) return error
  const code = errorCode(error)
  if (code === 'ENOENT') {
    return new SourceProblem('missing', file, `${file} is not there (any more).`, { cause: error })
  }
  const advice = (code === undefined ? undefined : ADVICE[code]) ?? reasonOf(error)
  return new SourceProblem('unreadable', file, `${file} cannot be read: ${advice}`, { cause: error })
}
