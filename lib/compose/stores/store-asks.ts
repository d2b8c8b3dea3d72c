import { basename, dirname, resolve } from 'node:path'
import { settingsFolderOf } from '../../adapters/stores/runtime-version'
import { absolutePath } from '../../config/env'
import { lineAndColumn, nodeAt, parseSource } from '../../core/policy/source-tree'
import { policyAsks, type StoreAsk } from '../../core/policy/store-asks'
import type { PolicyDocument } from '../../engine/policy/policy-store'
import type { FoundStore } from '../../engine/read/ports'
import { filesOfStore, ownFile } from '../policy/policy-sources'
import type { Setup } from '../setup'
import { type StoreTrust, storeTrust } from './store-trust'
import { wantedWorkspace } from './workspaces'

/** A store that asks for what the operator decides. */
export type AskingStore = {
  /** The path that the operator's settings name it by. */
  readonly path: string
  /** Where its settings files are; see `settingsFolderOf`. */
  readonly folder: string
  /** Labels are paths of files; folders are absolute. */
  readonly asks: readonly StoreAsk[]
}

/** Folders are found by the paths of files, so their labels must be these. */
type UnlabelledDocument = PolicyDocument & { readonly label?: undefined }

/**
 * What the files of these stores name of models, addresses and folders, whether the operator allowed it or not. Folders
 * inside of a store are its own affair, and left out.
 */
export function askingStores(
  setup: Setup,
  documents: readonly UnlabelledDocument[],
  stores: readonly FoundStore[],
): AskingStore[] {
  const own = ownFile(documents)
  const seen = new Set<string>()
  return stores.flatMap((store): AskingStore[] => {
    const folder = settingsFolderOf(store)
    if (folder === null || seen.has(folder)) return []
    seen.add(folder)
    const trust = storeTrust(setup, folder, stores)
    const files = filesOfStore(documents, store)
    const labels = new Set(files.map(({ label }) => label))
    const others = documents
      .filter(({ role, path }) => role === 'store' && labels.has(path))
      .flatMap((document) => [workspaceAsk(setup, document, stores), sessionsAsk(document, trust)].flat())
    const asks = [...policyAsks(own, files), ...others].flatMap((ask) => outside(setup, ask, trust))
    // pi's sessions are what is read of it.
    const path = store.kind === 'pi' ? store.root : folder
    return asks.length === 0 ? [] : [{ path, folder, asks }]
  })
}

/** The same by the id of each store. */
export function asksByStore(
  setup: Setup,
  documents: readonly UnlabelledDocument[],
  stores: readonly FoundStore[],
): ReadonlyMap<string, AskingStore> {
  const asking = askingStores(setup, documents, stores)
  const byFolder = new Map(asking.map((store) => [store.folder, store]))
  return new Map(
    stores.flatMap((store) => {
      const asks = byFolder.get(settingsFolderOf(store) ?? '')
      return asks === undefined ? [] : [[store.id, asks] as const]
    }),
  )
}

/** The ask with the absolute path of its folder; nothing where that lies in the store. */
function outside(setup: Setup, ask: StoreAsk, trust: StoreTrust): StoreAsk[] {
  const { wish, label } = ask
  if (!('folder' in wish)) return [ask]
  if (trust.isInside(wish.folder, label)) return []
  const folder = resolve(absolutePath(wish.folder, dirname(label), setup.environment.userHome))
  return [{ ...ask, wish: { ...wish, folder } }]
}

function workspaceAsk(setup: Setup, document: PolicyDocument, stores: readonly FoundStore[]): StoreAsk[] {
  const wanted = wantedWorkspace(setup, document, stores)
  if (wanted === null) return []
  const { written, line, folder } = wanted
  const wish = { kind: 'workspace', folder: written } as const
  return [{ wish, label: document.path, line, allowed: folder !== null }]
}

/** OpenClaw's `session.store`, which may hold `{agentId}`, and pi's `sessionDir`. */
function sessionsAsk({ path, text }: PolicyDocument, trust: StoreTrust): StoreAsk[] {
  const isPi = basename(path) === 'settings.json'
  const node = nodeAt(parseSource(text, path).root, isPi ? ['sessionDir'] : ['session', 'store'])
  if (node?.kind !== 'scalar' || typeof node.value !== 'string' || node.value === '') return []
  const [fixed = ''] = node.value.split(/[^/\\]*\{agentId\}/)
  const isWhole = fixed === node.value
  const folder = isPi ? node.value : isWhole ? dirname(fixed) : fixed
  const { line } = lineAndColumn(text, node.start)
  const wish = { kind: 'sessions', folder } as const
  return [{ wish, label: path, line, allowed: trust.folder(folder, path) !== null }]
}
