import { dirname, resolve } from 'node:path'
import { confinedFolder, realFolder } from '../../adapters/discovery/confined-folder'
import { settingsFolderOf } from '../../adapters/stores/runtime-version'
import { absolutePath } from '../../config/env'
import type { StoreAllowance } from '../../config/trust-settings'
import type { PolicyFile } from '../../core/policy/reading'
import { type StoreGrants, wishesIn } from '../../core/policy/store-grants'
import type { FoundStore } from '../../engine/read/ports'
import type { Setup } from '../setup'

/** Where the files of a store may lead: into the folder of its settings, and where the operator lets them. */
export type StoreTrust = {
  /** What the operator names such a store by. */
  readonly path: string
  readonly allowed: StoreAllowance
  /** The real path of a folder that a file names, when it may be used; null when not. */
  readonly folder: (written: string, from: string) => string | null
  /** Whether it lies in the store, so that the operator need not allow it. */
  readonly isInside: (written: string, from: string) => boolean
}

const NOTHING: StoreAllowance = {
  summarizers: [],
  embedders: [],
  sessionModel: false,
  folders: [],
  openclaw: false,
}

/**
 * What the operator's settings say of the stores whose files lie in a folder. Only an entry with exactly the path of the
 * store counts, so that no store gets leave by lying in another one.
 */
export function storeTrust(
  { settings, environment }: Setup,
  folder: string,
  stores: readonly Pick<FoundStore, 'kind' | 'root'>[],
): StoreTrust {
  const roots = stores.filter((store) => settingsFolderOf(store) === folder).map(({ root }) => root)
  const names = new Set([folder, ...roots].map(realFolder))
  const entries = settings.stores.flatMap(({ path, allow }) => {
    const isThis = [path, dirname(path)].some(
      (named, i) => (i === 0 || path.endsWith('/agents')) && names.has(realFolder(named)),
    )
    return allow !== null && isThis ? [allow] : []
  })
  const allowed = entries.reduce(joined, NOTHING)
  const confined = (written: string, from: string, more: readonly string[]) => {
    const wanted = resolve(absolutePath(written, dirname(from), environment.userHome))
    return confinedFolder(wanted, [folder, dirname(from), ...more])
  }
  return {
    path: folder,
    allowed,
    folder: (written, from) => confined(written, from, allowed.folders),
    isInside: (written, from) => confined(written, from, []) !== null,
  }
}

function joined(a: StoreAllowance, b: StoreAllowance): StoreAllowance {
  return {
    summarizers: [...a.summarizers, ...b.summarizers],
    embedders: [...a.embedders, ...b.embedders],
    sessionModel: a.sessionModel || b.sessionModel,
    folders: [...a.folders, ...b.folders],
    openclaw: a.openclaw || b.openclaw,
  }
}

/** What a configuration file of a store may decide; its folders as they lie on this machine now. */
export function grantsOf(trust: StoreTrust, path: string, file: PolicyFile): StoreGrants {
  const { summarizers, embedders, sessionModel } = trust.allowed
  const patches = [file.patch, ...file.overrides.map(({ patch }) => patch)]
  const folders = patches.flatMap(wishesIn).flatMap((wish): [string, string][] => {
    if (!('folder' in wish)) return []
    const real = trust.folder(wish.folder, path)
    return real === null ? [] : [[wish.folder, real]]
  })
  return { summarizers, embedders, sessionModel, folders: Object.fromEntries(folders) }
}
