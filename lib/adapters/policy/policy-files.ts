import { createHash } from 'node:crypto'
import { constants, statSync } from 'node:fs'
import { access, lstat, mkdir, open, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { sizeProblem, textSizeProblem } from '../../core/policy/size-limit'
import { reasonOf } from '../../core/words/reason-of'
import {
  loadDocument,
  type PolicyDocument,
  type PolicyFiles,
  type PolicyVersion,
  readOnlyMessage,
  type TextFile,
  type WriteOutcome,
} from '../../engine/policy/policy-store'
import { isInside } from '../files/regular-file'
import { writeFreshBeside } from '../write/fresh-file'
import { replaceByRename } from '../write/rename-with-retry'

/** Versions kept of each file. */
const MAX_VERSIONS = 50

/** Configuration files on disk; versions are kept in `historyFolder`, which only its owner can read. */
export function policyFiles(historyFolder: string): PolicyFiles {
  const folderOf = (path: string) => join(historyFolder, `${basename(path)}-${hash(path).slice(0, 12)}`)
  return {
    hash,
    read,
    replace,
    keep: async (path, version, text) => {
      const folder = folderOf(path)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const kept = join(folder, version.id + extname(path))
      await replaceByRename(await writeFreshBeside(kept, text), kept)
      await flushFolder(folder)
      await dropOldest(folder)
      return kept
    },
    versions: async (path) => versionsIn(folderOf(path)),
    version: async (path, id) => {
      const known = (await versionsIn(folderOf(path))).find((version) => version.id === id)
      return known === undefined ? null : readFile(join(folderOf(path), known.id + extname(path)), 'utf8')
    },
  }
}

/** What a check of files from outside tells: equal stamps mean that none of them was changed, made or taken away. */
export function stampFiles(paths: readonly string[]): string {
  return paths.map(stampOf).join('\n')
}

function stampOf(path: string): string {
  try {
    const info = statSync(path, { throwIfNoEntry: false, bigint: true })
    return info === undefined ? '-' : `${info.ino} ${info.size} ${info.mtimeNs} ${info.mode}`
  } catch (error) {
    // Its folder is closed to us, or a loop of links: that is a state like others.
    return codeOf(error) ?? 'unknown'
  }
}

/**
 * Reads one configuration file of any known format, with what it includes. A file that does not exist is an empty
 * document; faults in it are problems of the document.
 * @param path absolute path
 * @throws Error that names the file when it cannot be read
 */
export function openPolicyFile(path: string): Promise<PolicyDocument> {
  // Nothing is saved, so no version of it is kept anywhere.
  return loadDocument(policyFiles(''), { path, role: 'own', storeId: null })
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** In a folder that is closed to us there is nothing to read, as in one that is missing. */
const NOTHING_THERE: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'EACCES']

/** Never waits for the other end of a pipe. Windows does not know it. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)
const NO_LINK = constants.O_NOFOLLOW ?? 0

async function read(path: string, within: string | null = null): Promise<TextFile | null> {
  try {
    const real = await placeOf(path, within)
    return real === null ? null : await readReal(real, path, within === null ? 0 : NO_LINK)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw new Error(`${path} cannot be read: ${reasonOf(error)}`)
  }
}

/**
 * Where a file really lies: with its links followed, or, in a folder that it must stay in, with none at its own name
 * and none that leads out. null when there is nothing.
 */
async function placeOf(path: string, within: string | null): Promise<string | null> {
  try {
    if (within === null) return await realpath(path)
    const [root, folder] = await Promise.all([realpath(within), realpath(dirname(path))])
    if (!isInside(root, folder)) throw new Error(`its folder is a link that leads to ${folder}, ${STAYS}`)
    const real = join(folder, basename(path))
    if ((await lstat(real)).isSymbolicLink()) throw new Error(`it is a symbolic link, ${STAYS}`)
    return real
  } catch (error) {
    if (NOTHING_THERE.includes(codeOf(error))) return null
    throw error
  }
}

const STAYS =
  'which is neither followed, shown nor written in the folder of a store. Put the file itself there, or name it with --policy'

async function readReal(real: string, path: string, flags: number): Promise<TextFile | null> {
  const file = await open(real, READ | flags).catch(async (error: unknown) => {
    // A file that is closed to us is reported, a folder that is closed has nothing.
    if ((await lstat(real).catch(() => null)) === null) return null
    throw error
  })
  if (file === null) return null
  try {
    const info = await file.stat()
    if (!info.isFile()) throw new Error(`${path} is not a file`)
    const tooLarge = sizeProblem(path, info.size)
    if (tooLarge !== null) throw new Error(tooLarge)
    const text = await file.readFile('utf8')
    const obstacle =
      info.nlink > 1
        ? `${path} has ${info.nlink} names (hard links); replacing it would leave the others with the old text. Make a copy of it under one name first`
        : null
    const writable = obstacle === null && (info.mode & 0o222) !== 0 && (await mayReplace(real))
    const { uid, mode } = info
    return { text, hash: hash(text), uid, mode, writable, ...(obstacle === null ? {} : { obstacle }) }
  } finally {
    await file.close()
  }
}

/** Replacing needs the file itself to be writable by intent, and its folder in fact. */
async function mayReplace(real: string): Promise<boolean> {
  try {
    await access(real, constants.W_OK)
    await access(dirname(real), constants.W_OK)
    return true
  } catch {
    return false
  }
}

async function replace(
  path: string,
  text: string,
  expectedHash: string | null,
  within: string | null = null,
): Promise<WriteOutcome> {
  const tooLarge = textSizeProblem(path, text)
  if (tooLarge !== null) return { kind: 'refused', problem: tooLarge }
  let fresh: string | null = null
  try {
    const before = await read(path, within)
    if ((before?.hash ?? null) !== expectedHash) return { kind: 'changed', theirs: before?.text ?? '' }
    if (before !== null && !before.writable)
      return { kind: 'refused', problem: before.obstacle ?? readOnlyMessage(path) }
    if (within === null) await mkdir(dirname(path), { recursive: true })
    // A link is followed where that is allowed: the file that it names is replaced, not the link.
    const target = (await placeOf(path, within)) ?? join(await realpath(dirname(path)), basename(path))
    const like = before === null ? null : await lstat(target)
    fresh = await writeFreshBeside(
      target,
      text,
      like === null ? {} : { mode: like.mode & 0o777, owner: { uid: like.uid, gid: like.gid } },
    )
    // A last look: what came meanwhile is not overwritten.
    const now = await read(path, within)
    if ((now?.hash ?? null) !== expectedHash) return { kind: 'changed', theirs: now?.text ?? '' }
    await replaceByRename(fresh, target)
    fresh = null
    await flushFolder(dirname(target))
    const written = await read(path, within)
    if (written?.text !== text)
      return { kind: 'refused', problem: `${path} does not hold what was written to it` }
    return { kind: 'written' }
  } catch (error) {
    return { kind: 'refused', problem: `${path} cannot be written: ${reasonOf(error)}` }
  } finally {
    if (fresh !== null) await rm(fresh, { force: true })
  }
}

async function flushFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r')
    await handle.sync().finally(() => handle.close())
  } catch {
    // Some systems cannot flush a folder; the rename itself is done.
  }
}

/** A version of a file, as we name it. */
const VERSION = /^((\d+)-[0-9a-f]{8})(\.[^.]*)?$/

async function versionsIn(folder: string): Promise<PolicyVersion[]> {
  const versions = await Promise.all(
    (await versionNames(folder)).map(async ({ name, id, savedAt }) => {
      const text = await readFile(join(folder, name), 'utf8')
      return { id, savedAt, bytes: Buffer.byteLength(text), hash: hash(text) }
    }),
  )
  return versions.sort((a, b) => b.savedAt - a.savedAt)
}

async function dropOldest(folder: string): Promise<void> {
  const newestFirst = (await versionNames(folder)).sort((a, b) => b.savedAt - a.savedAt)
  for (const { name } of newestFirst.slice(MAX_VERSIONS)) await rm(join(folder, name), { force: true })
}

/** Versions in a folder: regular files with our names. Whatever else lies there is left alone. */
async function versionNames(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.flatMap((entry) => {
    const match = VERSION.exec(entry.name)
    if (match === null || !entry.isFile()) return []
    return [{ name: entry.name, id: match[1] ?? '', savedAt: Number(match[2]) }]
  })
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}
