import { dirname } from 'node:path'
import { lineAndColumn, nodeAt, parseSource } from '../../core/policy/source-tree'
import type { PolicyDocument } from '../../engine/policy/policy-store'
import type { FoundStore } from '../../engine/read/ports'
import type { Setup } from '../open'
import { storeTrust } from './store-trust'

/** A workspace that is named: the settings, or the configuration of a store. */
export type NamedWorkspace = {
  readonly folder: string
  readonly from: string
  /** Of the store; null for the settings. */
  readonly root: Pick<FoundStore, 'kind' | 'root'> | null
}

/** A workspace that the configuration of a store names for its agents, as it is written there. */
export type WantedWorkspace = {
  readonly written: string
  readonly line: number
  /** Its real path when it may be read; null when it leads out of the store, and the operator did not allow it. */
  readonly folder: string | null
}

/**
 * The workspaces that the settings and the stores' configurations name, each once. A store names only those that lie in
 * it, or that the operator lets it have.
 */
export function namedWorkspaces(
  setup: Setup,
  documents: readonly PolicyDocument[],
  stores: readonly FoundStore[],
): NamedWorkspace[] {
  const configured = setup.settings.workspaces.map((folder) => ({
    folder,
    from: 'your settings',
    root: null,
  }))
  const named = documents.flatMap((document): NamedWorkspace[] => {
    const wanted = wantedWorkspace(setup, document, stores)
    if (wanted === null || wanted.folder === null) return []
    const root = { kind: 'openclaw', root: dirname(document.path) } as const
    return [{ folder: wanted.folder, from: document.path, root }]
  })
  return [...configured, ...named].filter(
    (place, i, all) => all.findIndex((other) => other.folder === place.folder) === i,
  )
}

/** The workspace that a runtime's configuration names for its agents; null when it names none. */
export function wantedWorkspace(
  setup: Setup,
  { role, path, text }: Pick<PolicyDocument, 'role' | 'path' | 'text'>,
  stores: readonly FoundStore[],
): WantedWorkspace | null {
  if (role !== 'store') return null
  const source = parseSource(text, path)
  const node = nodeAt(source.root, ['agents', 'defaults', 'workspace'])
  if (node?.kind !== 'scalar' || typeof node.value !== 'string' || node.value === '') return null
  const { line } = lineAndColumn(text, node.start)
  const folder = storeTrust(setup, dirname(path), stores).folder(node.value, path)
  return { written: node.value, line, folder }
}
