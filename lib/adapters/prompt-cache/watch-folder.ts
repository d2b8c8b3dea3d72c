import { type FSWatcher, type Stats, statSync, watch } from 'node:fs'
import path from 'node:path'
import { reasonOf } from '../../core/words/reason-of'
import type { WatchEvents, WatchStart } from '../../engine/workspace/workspace'
import { errorCode } from '../files/regular-file'

export type WatchFolderOptions = {
  readonly folder: string
  /** Files in it that count. */
  readonly names: readonly string[]
  /** A folder in it of which every Markdown file counts; it may come and go. */
  readonly memory: string
  readonly events: WatchEvents
}

/**
 * Watches a workspace. Folders are watched, not files: editors save by renaming a new file over the old one, and a
 * watch on the old one would never fire again. Closes itself on the first failure, since a watch with a gap is worse
 * than none.
 */
export function watchFolder(options: WatchFolderOptions): WatchStart {
  try {
    const folderWatch = new FolderWatch(options)
    return { close: () => folderWatch.close() }
  } catch (error) {
    return { problem: problemOf(error, options.folder) }
  }
}

class FolderWatch {
  private readonly top: FSWatcher
  private readonly identity: string
  private notes: { readonly watcher: FSWatcher; readonly identity: string } | null = null
  private readonly names: ReadonlySet<string>
  private closed = false

  constructor(private readonly options: WatchFolderOptions) {
    const { folder, names } = options
    // Names are compared in lower case, for file systems that do not tell cases apart.
    this.names = new Set(names.map((name) => name.toLowerCase()))
    this.identity = identityOf(folder)
    this.top = this.open(folder, (name) => this.seen(name))
    try {
      this.attachNotes()
    } catch (error) {
      this.close()
      throw error
    }
  }

  close(): void {
    this.closed = true
    this.top.close()
    this.notes?.watcher.close()
    this.notes = null
  }

  private open(folder: string, seen: (name: string | null) => void): FSWatcher {
    const watcher = watch(folder, { persistent: false }, (_, name) => seen(name))
    watcher.on('error', (error) => this.fail(problemOf(error, folder)))
    return watcher
  }

  private seen(name: string | null): void {
    const { folder, memory, events } = this.options
    const lower = name?.toLowerCase() ?? null
    if (lower === null || lower === memory) {
      try {
        this.attachNotes()
      } catch (error) {
        this.fail(problemOf(error, path.join(folder, memory)))
        return
      }
      events.changed(lower === null ? 'the workspace' : `${memory}/`)
    } else if (this.names.has(lower)) events.changed(name ?? lower)
    else if (lower === path.basename(folder).toLowerCase() && identityOf(folder) !== this.identity) {
      // The folder's own name is the last thing that is heard of it.
      this.fail(`${folder} was moved or deleted`)
    }
  }

  /** Watches the folder of the notes that is there now, if there is one that may be examined. */
  private attachNotes(): void {
    const { folder, memory, events } = this.options
    const place = path.join(folder, memory)
    const stat = statOf(place)
    const identity = stat?.isDirectory() ? identityFrom(stat) : ''
    if (identity === (this.notes?.identity ?? '')) return
    this.notes?.watcher.close()
    this.notes = null
    if (identity === '') return
    try {
      const watcher = this.open(place, (name) => {
        if (name === null || /\.md$/i.test(name)) events.changed(`${memory}/${name ?? ''}`)
      })
      this.notes = { watcher, identity }
    } catch (error) {
      // Gone again, or closed to us: then nothing in it can be read either.
      if (!['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(errorCode(error) ?? '')) throw error
    }
  }

  private fail(problem: string): void {
    if (this.closed) return
    this.close()
    this.options.events.failed(problem)
  }
}

function statOf(place: string): Stats | null {
  try {
    return statSync(place)
  } catch {
    return null
  }
}

function identityFrom({ dev, ino }: Stats): string {
  return `${dev}:${ino}`
}

function identityOf(place: string): string {
  const stat = statOf(place)
  return stat === null ? '' : identityFrom(stat)
}

const PROBLEMS: { readonly [code: string]: string } = {
  ENOENT: 'is not there',
  EACCES: 'may not be looked at: no permission',
  EMFILE: 'cannot be watched: too many open files or watches',
  ENOSPC: 'cannot be watched: the system has no watches left (fs.inotify.max_user_watches)',
}

function problemOf(error: unknown, place: string): string {
  const known = PROBLEMS[errorCode(error) ?? '']
  return `${place} ${known ?? `cannot be watched: ${reasonOf(error)}`}`
}
