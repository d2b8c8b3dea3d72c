import { createHash } from 'node:crypto'
import { constants, statSync } from 'node:fs'
import {
  access,
  chmod,
  chown,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import {
  loadDocument,
  type PolicyDocument,
  type PolicyFiles,
  type PolicyVersion,
  readOnlyMessage,
  type TextFile,
  type WriteOutcome,
} from '../engine/policy-store'

/** A configuration larger than this is none; it is not read. */
const MAX_BYTES = 4 * 1024 * 1024

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
      await writeFlushed(kept, text, 0o600)
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

/** What a look at files from outside tells: equal stamps mean that none of them was changed, made or taken away. */
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

async function read(path: string): Promise<TextFile | null> {
  try {
    const info = await stat(path).catch((error: unknown) => {
      if (NOTHING_THERE.includes(codeOf(error))) return null
      throw error
    })
    if (info === null) return null
    if (!info.isFile()) throw new Error(`${path} is not a file`)
    if (info.size > MAX_BYTES)
      throw new Error(`${path} has ${info.size} bytes; no configuration is larger than ${MAX_BYTES}`)
    const text = await readFile(path, 'utf8')
    return { text, hash: hash(text), writable: await canReplace(path) }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw new Error(`${path} cannot be read: ${messageOf(error)}`)
  }
}

/** Replacing needs the file itself to be writable by intent, and its folder in fact. */
async function canReplace(path: string): Promise<boolean> {
  try {
    const info = await stat(path)
    if ((info.mode & 0o222) === 0) return false
    await access(path, constants.W_OK)
    await access(dirname(path), constants.W_OK)
    return true
  } catch {
    return false
  }
}

async function replace(path: string, text: string, expectedHash: string | null): Promise<WriteOutcome> {
  try {
    // A link is followed: the file that it names is replaced, not the link.
    const target = await realpath(path).catch(() => path)
    const before = await read(target)
    if ((before?.hash ?? null) !== expectedHash) return { kind: 'changed', theirs: before?.text ?? '' }
    if (before !== null && !before.writable) {
      return { kind: 'refused', problem: readOnlyMessage(path) }
    }
    await mkdir(dirname(target), { recursive: true })
    await swapIn(target, text, before === null ? null : await lstat(target))
    const written = await read(target)
    if (written?.text !== text)
      return { kind: 'refused', problem: `${path} does not hold what was written to it` }
    return { kind: 'written' }
  } catch (error) {
    return { kind: 'refused', problem: `${path} cannot be written: ${messageOf(error)}` }
  }
}

async function swapIn(
  target: string,
  text: string,
  like: { mode: number; uid: number; gid: number } | null,
): Promise<void> {
  const temporary = join(dirname(target), `.${basename(target)}.${process.pid}.${hash(text).slice(0, 8)}.tmp`)
  try {
    await writeFlushed(temporary, text, like === null ? 0o600 : like.mode & 0o777)
    if (like !== null) {
      await chmod(temporary, like.mode & 0o777)
      await chown(temporary, like.uid, like.gid).catch(() => undefined)
    }
    await rename(temporary, target)
    await flushFolder(dirname(target))
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

async function writeFlushed(path: string, text: string, mode: number): Promise<void> {
  const file = await open(path, 'w', mode)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
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

async function versionsIn(folder: string): Promise<PolicyVersion[]> {
  const names = await readdir(folder).catch(() => [])
  const versions = await Promise.all(
    names.map(async (name) => {
      const match = /^((\d+)-[0-9a-f]{8})(\.[^.]*)?$/.exec(name)
      if (match === null) return null
      const text = await readFile(join(folder, name), 'utf8')
      return {
        id: match[1] ?? '',
        savedAt: Number(match[2]),
        bytes: Buffer.byteLength(text),
        hash: hash(text),
      }
    }),
  )
  return versions.filter((version) => version !== null).sort((a, b) => b.savedAt - a.savedAt)
}

async function dropOldest(folder: string): Promise<void> {
  const names = (await readdir(folder))
    .filter((name) => /^\d+-/.test(name))
    .sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10))
  for (const name of names.slice(MAX_VERSIONS)) await rm(join(folder, name), { force: true })
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
