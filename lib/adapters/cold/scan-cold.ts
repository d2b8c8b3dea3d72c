import { closeSync, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { ENDING, JOURNALS } from '../../core/cold/layout'
import { type ColdRecord, readColdLine } from '../../core/cold/record'
import { reasonOf } from '../../core/words/reason-of'
import type {
  ColdScan,
  ColdScanner,
  FileStamp,
  KnownCold,
  ScannedFile,
  ScanProgress,
} from '../../engine/cold/cold-index'
import type { WriteFiles } from '../../engine/write/write-ports'
import { errorCode, openInside } from '../files/regular-file'
import { coldPlace } from './cold-place'
import type { Journals } from './journals'
import { MAX_FILE, RESTLESS_MS, readRecords } from './read-records'

/** Files that are checked before the pages of this process get a turn, and that make a part. */
const AT_ONCE = 200

/**
 * Looks for what has changed in cold storage. The folder of a session is read when a file came, went or was
 * replaced there, and only files with another size or time are read.
 */
export function coldScanner(files: WriteFiles, root: string, journals: Journals): ColdScanner {
  async function* changes(
    known: KnownCold,
    onProgress: (progress: ScanProgress) => void,
  ): AsyncGenerator<ColdScan> {
    const folders = known.folders()
    const names = listFolder(root).filter((name) => !name.startsWith('.'))
    const here = new Set([...names, JOURNALS])
    for (const folder of folders.keys())
      if (!here.has(folder))
        yield { folder, removed: [...known.files(folder).keys()], files: [], stamp: null }
    const changed = names.flatMap((name) => changedFolder(files.join(root, name), name, folders.get(name)))
    const all = changed.map(({ folder, path, stamp }) => {
      const names = listFolder(path).filter((name) => name.endsWith(ENDING))
      return { folder, stamp, paths: names.map((name) => files.join(path, name)) }
    })
    const progress = { read: 0, of: all.reduce((sum, { paths }) => sum + paths.length, 0) }
    for (const { folder, stamp, paths } of all) {
      const before = known.files(folder)
      const there = new Set(paths)
      yield { folder, removed: [...before.keys()].filter((path) => !there.has(path)), files: [], stamp: null }
      for (let at = 0; at < paths.length; at += AT_ONCE) {
        const group = paths.slice(at, at + AT_ONCE)
        const read = group.flatMap((path) => readChanged(root, path, folder, before.get(path)) ?? [])
        if (read.length > 0) yield { folder, removed: [], files: read, stamp: null }
        progress.read += group.length
        onProgress({ ...progress })
        await setImmediate()
      }
      yield { folder, removed: [], files: [], stamp }
    }
    yield* journalled(known, folders.get(JOURNALS) ?? '')
  }

  /** Records whose own file was lost in a crash are in a journal only, and are read there. */
  async function* journalled(known: KnownCold, before: string): AsyncGenerator<ColdScan> {
    const paths = await journals.paths()
    const stamp = paths.join('\n')
    if (stamp === before) return
    const read = paths.flatMap((path): ScannedFile[] => {
      const text = readInside(root, path)
      if (text === null) return []
      const chunks = text.split('\n').flatMap((content, i) => {
        const record = readColdLine(content)
        if (!record.ok || isThere(placeOf(record.record))) return []
        return [{ chunk: { ...record.record, file: placeOf(record.record) }, line: i + 1 }]
      })
      // A line that a crash cut short was never reported as stored: it is no problem of anybody's.
      return [{ path, size: text.length, mtimeNs: '', chunks, problems: [] }]
    })
    const removed = [...known.files(JOURNALS).keys()].filter((path) => !paths.includes(path))
    yield { folder: JOURNALS, removed, files: read, stamp }
  }

  const placeOf = (record: ColdRecord) => coldPlace(files, root, record)

  return {
    root,
    changes,
    load: (file, line) => {
      const text = readInside(root, file)
      const read = text === null ? null : readColdLine(text.split('\n')[line - 1] ?? '')
      if (!read?.ok) return null
      const isOwn = files.folderOf(file) !== files.join(root, JOURNALS)
      return { ...read.record, file: isOwn ? file : placeOf(read.record) }
    },
  }
}

/** Nothing when it is as it was, or no folder. */
function changedFolder(path: string, folder: string, before: string | undefined) {
  const stat = lstatSync(path, { throwIfNoEntry: false, bigint: true })
  if (!stat?.isDirectory()) return []
  const stamp = String(stat.mtimeNs)
  if (stamp === before) return []
  const isSettled = Date.now() - Number(stat.mtimeNs / 1_000_000n) > RESTLESS_MS
  return [{ folder, path, stamp: isSettled ? stamp : '' }]
}

/** null: it is as it was, or no regular file. */
function readChanged(
  root: string,
  path: string,
  folder: string,
  before: FileStamp | undefined,
): ScannedFile | null {
  const stat = lstatSync(path, { throwIfNoEntry: false, bigint: true })
  if (!stat?.isFile()) return null
  const stamp = { size: Number(stat.size), mtimeNs: String(stat.mtimeNs) }
  if (before?.size === stamp.size && before.mtimeNs === stamp.mtimeNs) return null
  const unreadable = (why: string): ScannedFile => ({
    ...stamp,
    path,
    chunks: [],
    problems: [{ file: path, line: 1, kind: 'unreadable', why }],
  })
  if (stamp.size > MAX_FILE) return unreadable(`the file has ${stamp.size} bytes, more than any chunk`)
  try {
    const text = readInside(root, path)
    return text === null ? null : { ...stamp, path, ...readRecords(path, folder, text) }
  } catch (error) {
    return unreadable(reasonOf(error))
  }
}

/** null when it is gone. @throws SourceProblem */
function readInside(root: string, path: string): string | null {
  if (!isThere(path)) return null
  const { fd } = openInside(realpathSync.native(root), path)
  try {
    return readFileSync(fd, 'utf8')
  } finally {
    closeSync(fd)
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path).sort()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}
