import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import type { WorkspaceFile } from '../../core/bootstrap/workspace-file'
import { reasonOf } from '../../core/words/reason-of'
import { errorCode, isInside, kindOf } from '../files/regular-file'

/**
 * Larger files are no instructions for an agent; reading them at every request would be a burden (OpenClaw's limit).
 */
const MAX_BYTES = 2 * 1024 * 1024

/** Never waits: opening a named pipe would block until a process writes to it. Windows has neither flag. */
const READ_ONLY = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

const PROBLEMS: { readonly [code: string]: string } = {
  EACCES: 'no permission to read it',
  EPERM: 'no permission to read it',
  ELOOP: 'its symbolic links lead in a circle',
  ENOTDIR: 'a part of its path is no folder',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files on this machine',
}

/**
 * One file of a workspace. Never throws: a missing file has a text of null, one that cannot be read says why as well.
 * @param root real path of the workspace: a link that leads out of it is not followed, since a cloned workspace could
 * else put a person's keys into a prompt; null follows all links
 */
export async function readWorkspaceFile(
  file: { readonly name: string; readonly path: string },
  root: string | null,
): Promise<WorkspaceFile> {
  let handle: FileHandle | undefined
  const refuse = (problem: string): WorkspaceFile => ({ ...file, text: null, problem })
  try {
    const real = await realpath(file.path)
    if (root !== null && !isInside(root, real))
      return refuse(`it is a link that leads out of the workspace, to ${real}`)
    handle = await open(real, READ_ONLY)
    const stat = await handle.stat()
    if (!stat.isFile()) return refuse(`it is ${kindOf(stat)}, not a file`)
    if (stat.size > MAX_BYTES) return refuse(`it has ${stat.size} bytes; more than ${MAX_BYTES} are not read`)
    return { ...file, text: await handle.readFile('utf8') }
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT') return { ...file, text: null }
    return refuse(PROBLEMS[code ?? ''] ?? reasonOf(error))
  } finally {
    await handle?.close()
  }
}
