import { readdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import type { WorkspaceFile } from '../../core/bootstrap/workspace-file'
import type { Milliseconds } from '../../core/units/units'
import type { Workspace, WorkspaceLook, WorkspaceSnapshot } from '../../engine/workspace/workspace'
import { errorCode } from '../files/regular-file'
import { localDays } from './local-days'
import { readWorkspaceFile } from './read-file'
import { watchFolder } from './watch-folder'

/** Folder of the daily notes within a workspace. */
const MEMORY_FOLDER = 'memory'

/** Other names under which runtimes look for a file that is not there under its own. */
const ALIASES: { readonly [name: string]: string } = { 'MEMORY.md': 'memory.md' }

export type WorkspaceFolderOptions = {
  /** Absolute path. It need not exist yet. */
  readonly folder: string
  /** File names in the order of the policy. */
  readonly names: readonly string[]
  /** Follow links that lead out of the workspace; off by default. */
  readonly allowOutside?: boolean
  /** Which days' notes to read; by default today and yesterday by this machine's clock. */
  readonly days?: (now: Milliseconds) => readonly string[]
}

/** A workspace on disk. */
export function openWorkspaceFolder(options: WorkspaceFolderOptions): Workspace {
  const { folder, names, allowOutside = false, days = localDays } = options
  const place = (name: string) => ({ name, path: path.join(folder, name) })
  const dailyNames = (now: Milliseconds) => days(now).map((day) => `${MEMORY_FOLDER}/${day}.md`)
  const watched = names.flatMap((name) => [name, ALIASES[name] ?? []].flat())

  async function readNamed(name: string, root: string | null): Promise<WorkspaceFile> {
    const file = await readWorkspaceFile(place(name), root)
    const alias = ALIASES[name]
    if (file.text !== null || file.problem !== undefined || alias === undefined) return file
    const other = await readWorkspaceFile({ name, path: path.join(folder, alias) }, root)
    return other.text === null && other.problem === undefined ? file : other
  }

  return {
    folder,
    async read(now): Promise<WorkspaceSnapshot> {
      const root = allowOutside ? null : await realpath(folder).catch(() => folder)
      const [files, daily, memory] = await Promise.all([
        Promise.all(names.map((name) => readNamed(name, root))),
        Promise.all(dailyNames(now).map((name) => readWorkspaceFile(place(name), root))),
        listNotes(path.join(folder, MEMORY_FOLDER)),
      ])
      return {
        files,
        daily: daily.filter((file) => file.text !== null || file.problem !== undefined),
        memory,
      }
    },
    async look(now): Promise<WorkspaceLook> {
      const daily = dailyNames(now)
      const [own, ...stamps] = await Promise.all(
        ['', ...watched, ...daily].map((name) => stampOf(path.join(folder, name))),
      )
      const files = [...watched, ...daily].map((name, at) => `${name}\t${stamps[at]?.whole}`)
      return { folder: own?.identity ?? '', days: daily.join(' '), files: files.join('\n') }
    },
    watch: (events) => watchFolder({ folder, names: watched, memory: MEMORY_FOLDER, events }),
  }
}

type Stamp = { readonly identity: string; readonly whole: string }

/** What a stat tells: which file it is, and when and how large it was written last. */
async function stampOf(file: string): Promise<Stamp> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true })
    return { identity: `${dev}:${ino}`, whole: `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}` }
  } catch (error) {
    const code = errorCode(error) ?? 'unknown'
    return { identity: code, whole: code }
  }
}

/** All notes with their sizes and times, one a line: the poll sees changes in notes of other days by it. */
async function listNotes(folder: string): Promise<string> {
  const names = await readdir(folder).catch(() => [])
  const notes = names.filter((name) => name.endsWith('.md')).sort()
  const stamps = await Promise.all(notes.map((name) => stampOf(path.join(folder, name))))
  return notes.map((name, at) => `${name}\t${stamps[at]?.whole}`).join('\n')
}
