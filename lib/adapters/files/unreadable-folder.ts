import { access, constants } from 'node:fs/promises'
import { reasonOf } from '../../core/words/reason-of'

/** Not there is no fault: an agent may have no such folder yet. */
const ABSENT: readonly unknown[] = ['ENOENT', 'ENOTDIR']

/** The first of several folders that cannot be looked into, as a sentence with what to do; null: all can, or are not there. */
export async function unreadableFolder(folders: readonly string[]): Promise<string | null> {
  for (const folder of folders) {
    try {
      await access(folder, constants.R_OK | constants.X_OK)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (ABSENT.includes(code)) continue
      // `EACCES: permission denied, access '/…'`: the path is said already.
      const [reason] = reasonOf(error).split(', ')
      return `The folder ${folder} cannot be read (${reason}). Let the user who runs Plimsoll read it.`
    }
  }
  return null
}
