import type { Dirent } from 'node:fs'
import { open, readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { append } from '../../core/lists/long-lists'
import { reasonOf } from '../../core/words/reason-of'
import type { RecallPlace, RecallSource, RecallText } from '../../engine/knowledge/recall-ports'
import { errorCode } from '../files/regular-file'
import { decodeNote } from './decode-note'

/** Folders below `memory/` that are read. */
const DEPTH = 3
/** More files than these, and the oldest are left out. */
const MOST_NOTES = 20_000
/** Of a longer file only the beginning is recalled. Bytes. */
const MOST_BYTES = 1024 * 1024

/**
 * The memory of an agent's workspace: `MEMORY.md` (or `memory.md`) and the notes below `memory/`.
 *
 * @example
 * ```ts
 * import { memoryFiles, RecallLibrary } from 'plimsoll-agent'
 *
 * const library = new RecallLibrary({ places: [memoryFiles('workspace')] })
 * ```
 */
export function memoryFiles(workspace: string, most = MOST_NOTES): RecallPlace {
  return {
    list: async () => {
      const listing: Listing = { workspace, problems: [], unseen: [] }
      const { problems, unseen } = listing
      const names = ['MEMORY.md', 'memory.md', ...(await notesIn(listing, 'memory', DEPTH))]
      const root = await realpath(workspace).catch(() => workspace)
      const found = (await Promise.all(names.map((name) => notesBelow(listing, root, name)))).flat()
      // On file systems that take both names for the same file it is one source.
      const inodes = new Set<string>()
      const unique = found.filter(({ ino }) => !inodes.has(ino) && inodes.add(ino))
      const newest =
        unique.length <= most ? unique : unique.toSorted((a, b) => b.changed - a.changed).slice(0, most)
      if (newest.length < unique.length)
        problems.push(
          `${join(workspace, 'memory')} holds ${unique.length} notes; the ${most} newest are recalled. Put older ones together into fewer files.`,
        )
      return { sources: newest.map(({ source }) => source), problems, unseen }
    },
  }
}

/** What could not be examined, while notes are listed. */
type Listing = { readonly workspace: string; readonly problems: string[]; readonly unseen: string[] }

async function notesIn(listing: Listing, folder: string, depth: number): Promise<string[]> {
  const path = join(listing.workspace, folder)
  let entries: Dirent[]
  try {
    entries = await readdir(path, { withFileTypes: true })
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return []
    listing.problems.push(`${path} cannot be listed: ${reasonOf(error)}`)
    listing.unseen.push(`${idOf(path)}/`)
    return []
  }
  const names: string[] = []
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = `${folder}/${entry.name}`
    if (entry.isDirectory() && depth > 1 && !entry.name.startsWith('.'))
      append(names, await notesIn(listing, name, depth - 1))
    else if (!entry.isDirectory() && /\.md$/i.test(entry.name)) names.push(name)
  }
  return names
}

async function notesBelow(
  { workspace, problems, unseen }: Listing,
  root: string,
  name: string,
): Promise<readonly { readonly source: RecallSource; readonly changed: number; readonly ino: string }[]> {
  const path = join(workspace, name)
  try {
    const stats = await stat(path)
    if (!stats.isFile()) return []
    const { dev, ino, size, mtimeMs, ctimeMs } = stats
    const real = await realpath(path)
    if (!real.startsWith(root + sep)) {
      problems.push(`${path} leads out of the workspace and is not recalled.`)
      return []
    }
    const stamp = [dev, ino, size, mtimeMs, ctimeMs].join(':')
    const source: RecallSource = {
      id: idOf(path),
      origin: 'memory',
      name,
      stamp,
      read: () => readNote(path),
    }
    return [{ source, changed: mtimeMs, ino: `${dev}:${ino}` }]
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    problems.push(`${path} cannot be read: ${reasonOf(error)}`)
    unseen.push(idOf(path))
    return []
  }
}

function idOf(path: string): string {
  return `memory:${path}`
}

async function readNote(path: string): Promise<RecallText> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const bytes = Buffer.alloc(Math.min(size, MOST_BYTES))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
    const read = decodeNote(bytes.subarray(0, bytesRead))
    if (!read.ok || size <= MOST_BYTES) return read
    const part = `only its first ${MOST_BYTES / 1024 / 1024} MiB of ${Math.ceil(size / 1024 / 1024)} are recalled`
    return { ...read, note: read.note === null ? part : `${read.note}; ${part}` }
  } finally {
    await file.close()
  }
}
