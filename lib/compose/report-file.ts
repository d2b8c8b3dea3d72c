import { constants, realpathSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { writeFreshBeside } from '../adapters/write/fresh-file'
import { reasonOf } from '../core/words/reason-of'

/** Where a report goes, or why it does not. */
export type ReportTarget =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly problem: string }

/**
 * Judges where a report is to be written: outside of all stores, and over nothing but an earlier report.
 * @param path absolute
 * @param roots real paths of the stores
 * @param start how every report begins
 */
export async function reportTarget(
  path: string,
  roots: readonly string[],
  start: string,
): Promise<ReportTarget> {
  try {
    const folder = realpathSync(dirname(path))
    if (roots.some((root) => folder === root || folder.startsWith(root + sep)))
      return { ok: false, problem: `${path} is inside a store; nothing is written there.` }
    const target = join(folder, basename(path))
    const before = await beginningOfFile(target, Buffer.byteLength(start))
    if (before === null || before === start) return { ok: true, path: target }
    return {
      ok: false,
      problem: `${path} is there already and is no report of Plimsoll; it is left alone.`,
    }
  } catch (error) {
    return { ok: false, problem: `${path} cannot be written: ${reasonOf(error)}` }
  }
}

/** Writes the whole file or nothing. */
export async function writeReport(path: string, content: string): Promise<void> {
  const fresh = await writeFreshBeside(path, content)
  try {
    await rename(fresh, path)
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  }
}

/** The first bytes of a file; null: there is none. @throws where it is no regular file */
async function beginningOfFile(path: string, bytes: number): Promise<string | null> {
  const file = await openIfThere(path)
  if (file === null) return null
  try {
    if (!(await file.stat()).isFile()) throw new Error('it is no regular file')
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Without waiting, should it be a pipe. */
async function openIfThere(path: string) {
  try {
    return await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
