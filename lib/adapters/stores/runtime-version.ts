import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { StatedVersion } from '../../core/policy/runtime/openclaw-release'
import type { FoundStore } from '../../engine/read/ports'
import { maintenanceSettings } from '../locks/state-folder'
import { sourceNamed } from '../sources/sources'
import { readSqlite, type SqliteSnapshot, textColumn } from '../sqlite/read-only'
import { type Layout, openClawLayout, stateFolderAbove } from './openclaw-layout'

/** A version is a short text; what is longer is none. */
const MAX_CHARS = 64

/**
 * The version of the runtime that owns a store, as it states it itself: in its databases, else in its settings file
 * (`meta.lastTouchedVersion`); those of Claude Code and Codex in their newest session. Null where it states none, or
 * where that cannot be read.
 */
export async function runtimeVersion(
  store: Pick<FoundStore, 'kind' | 'era' | 'root'>,
): Promise<StatedVersion | null> {
  const source = sourceNamed(store.kind)
  if (source !== undefined) return source.settings.versionOf(store.root)
  if (store.kind !== 'openclaw') return null
  const layout = layoutOf(store.root)
  if (layout === null) return null
  const stated = store.era === 'sqlite' ? await ofDatabases(layout) : null
  return stated ?? ofSettings(layout)
}

/** Where the settings files of a store's runtime are; null where that is not known. */
export function settingsFolderOf({ kind, root }: Pick<FoundStore, 'kind' | 'root'>): string | null {
  // pi keeps its sessions beside its settings; any other folder of transcripts belongs to no runtime.
  if (kind === 'pi') return basename(root) === 'sessions' ? dirname(root) : null
  const source = sourceNamed(kind)
  if (source !== undefined) {
    const folder = source.settings.folderOf(root)
    // Any other folder of their transcripts lies beside no settings.
    return folder === root ? null : folder
  }
  // Looked for on every request, so without listing agents: one pass over one folder.
  return existsSync(join(root, 'agents')) ? root : (stateFolderAbove(root) ?? root)
}

/** GoClaw's settings for the sessions that it shares with OpenClaw in `~/.openclaw`: its own folder is beside. */
export function goClawFile(settingsFolder: string): string | null {
  return basename(settingsFolder) === '.openclaw'
    ? join(dirname(settingsFolder), '.goclaw', 'goclaw.json')
    : null
}

function layoutOf(root: string): Layout | null {
  try {
    return openClawLayout(root)
  } catch {
    // The list of the store reports why it cannot be read.
    return null
  }
}

async function ofDatabases({ places }: Layout): Promise<StatedVersion | null> {
  for (const { database } of places) {
    if (database === null) continue
    try {
      const value = await readSqlite(database, versionIn)
      if (value !== null) return { value, from: basename(database) }
    } catch {
      // Missing, locked or damaged: the listing of the store says so.
    }
  }
  return null
}

async function versionIn(snapshot: SqliteSnapshot): Promise<string | null> {
  if (!(await snapshot.columns('schema_meta')).has('app_version')) return null
  const [row] = await snapshot.all('SELECT CAST(app_version AS BLOB) AS version FROM schema_meta LIMIT 1')
  return textColumn(row?.version).slice(0, MAX_CHARS) || null
}

function ofSettings({ stateFolder }: Layout): StatedVersion | null {
  if (stateFolder === null) return null
  const { version } = maintenanceSettings(stateFolder)
  return version === null
    ? null
    : { value: version.slice(0, MAX_CHARS), from: join(stateFolder, 'openclaw.json') }
}
