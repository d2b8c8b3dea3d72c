import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import path from 'node:path'
import type { FolderEvent, FolderWatcher, WatchedFiles } from '../../engine/ingest/watch-ports'
import type { FoundStore, FoundTranscript, SourceStamp } from '../../engine/read/ports'
import { splitDatabasePath } from '../stores/openclaw-sqlite'

/** Watching on this machine's file system: one watcher per folder, none per file. */
export const watchedFiles: WatchedFiles = { watcher: createWatcher, stamp, foldersOf }

function createWatcher(onEvent: (event: FolderEvent) => void): FolderWatcher {
  const watchers = new Map<string, FSWatcher>()
  const drop = (folder: string) => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }
  const add = (folder: string) => {
    const watcher = watch(folder, (type, name) => {
      if (name === null) return
      const kind = type === 'rename' ? 'appeared-or-left' : 'changed'
      onEvent({ kind, path: path.join(folder, name), name, folder })
    })
    // The folder has gone; its parent's watcher tells so, too.
    watcher.on('error', () => drop(folder))
    watchers.set(folder, watcher)
  }
  return {
    watch: (folders) => {
      for (const folder of watchers.keys()) if (!folders.has(folder)) drop(folder)
      const problems: { folder: string; problem: string }[] = []
      for (const folder of folders) {
        if (watchers.has(folder)) continue
        try {
          add(folder)
        } catch (error) {
          problems.push({ folder, problem: explain(error) })
        }
      }
      return problems
    },
    close: () => {
      for (const folder of [...watchers.keys()]) drop(folder)
    },
  }
}

function explain(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EMFILE') {
    return 'the system allows no more watched folders; raise fs.inotify.max_user_watches and max_user_instances'
  }
  return message
}

function stamp(file: string): SourceStamp | null {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return null
  return { dev: stat.dev, ino: stat.ino, size: stat.size, mtimeMs: stat.mtimeMs }
}

/** The folders of all transcripts, the store's root, and those between: new folders appear in their parents. */
function foldersOf(store: FoundStore, transcripts: Iterable<FoundTranscript>): ReadonlySet<string> {
  const isFolder = statSync(store.root, { throwIfNoEntry: false })?.isDirectory() ?? false
  if (!isFolder) return new Set([path.dirname(store.root)])
  const folders = new Set([store.root, ...expectedFolders(store)])
  let last = ''
  for (const transcript of transcripts) {
    const folder = path.dirname(splitDatabasePath(transcript.path).database)
    if (folder === last) continue
    last = folder
    for (let at = folder; !folders.has(at) && at.startsWith(store.root); at = path.dirname(at))
      folders.add(at)
  }
  return folders
}

/** Where the first transcript of an agent or a working folder will appear. */
function expectedFolders({ kind, root }: FoundStore): string[] {
  if (kind !== 'openclaw') return subfolders(root)
  const agents = path.join(root, 'agents')
  return [agents, ...subfolders(agents).flatMap((agent) => [agent, ...subfolders(agent)])].filter(
    (folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false,
  )
}

function subfolders(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => path.join(folder, entry.name))
  } catch {
    // Absent or closed to us: the listing says so.
    return []
  }
}
