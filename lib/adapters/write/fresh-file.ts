import { randomBytes } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

export type FreshFile = {
  /** Permission bits; the owner's alone when not given. */
  readonly mode?: number
  /** Whom it belongs to, as far as this process may say so. */
  readonly owner?: { readonly uid: number; readonly gid: number }
}

/**
 * Writes a new file beside another one, flushed. Its name cannot be known beforehand and nothing may lie there, so
 * that no other account can have put a link or a file of theirs in its place.
 * @returns its path; the caller renames it or takes it away
 */
export async function writeFreshBeside(
  path: string,
  content: string | Iterable<string>,
  { mode = 0o600, owner }: FreshFile = {},
): Promise<string> {
  const fresh = join(
    dirname(path),
    `.${basename(path)}.plimsoll-${process.pid}-${randomBytes(12).toString('hex')}.tmp`,
  )
  const file = await open(fresh, 'wx', 0o600)
  try {
    try {
      if (typeof content === 'string') await file.writeFile(content)
      else for (const piece of content) await file.writeFile(piece)
      if (owner !== undefined) await file.chown(owner.uid, owner.gid).catch(() => undefined)
      // After the owner: a change of owner takes bits away.
      await file.chmod(mode)
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  }
  return fresh
}
