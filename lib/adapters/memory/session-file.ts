import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../files/regular-file'
import { writeFreshBeside } from '../write/fresh-file'
import { replaceByRename } from '../write/rename-with-retry'

/** The file of a session in a folder: session keys hold signs that file systems do not take. */
export function sessionFile(folder: string, session: string): string {
  return join(folder, `${createHash('sha256').update(session).digest('hex').slice(0, 32)}.json`)
}

/** Parsed JSON; `null` where no file is, `undefined` where there is something else than JSON. */
export async function readJsonFile(path: string): Promise<unknown> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Readers see the old file or the new one, never a part; a loss of power leaves one of them. */
export async function replaceJson(folder: string, path: string, value: unknown): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const fresh = await writeFreshBeside(path, JSON.stringify(value))
  try {
    await replaceByRename(fresh, path)
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  }
}

/** Paths of all files of sessions in a folder; none where there is no folder. */
export async function sessionFiles(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder))
      .filter((name) => /^[0-9a-f]{32}\.json$/.test(name))
      .map((name) => join(folder, name))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}

/** The files of sessions that were written last, newest first, and how many there are in all. */
export async function newestSessionFiles(
  folder: string,
  most: number,
): Promise<{ readonly paths: readonly string[]; readonly total: number }> {
  const paths = await sessionFiles(folder)
  const dated = await Promise.all(
    paths.map(async (path) => ({ path, at: (await stat(path).catch(() => null))?.mtimeMs ?? 0 })),
  )
  const newest = dated.toSorted((a, b) => b.at - a.at || (a.path < b.path ? -1 : 1)).slice(0, most)
  return { paths: newest.map(({ path }) => path), total: paths.length }
}
