import { join } from 'node:path'
import { nodeAt, parseSource } from '../core/policy/source-tree'
import type { PolicyDocument } from '../engine/policy-store'
import type { Setup } from '../wire'

/** A workspace that somebody names: the settings, or the configuration of a store. */
export type NamedWorkspace = {
  readonly folder: string
  readonly from: string
  /** Of the store; null for the settings. */
  readonly root: { readonly root: string } | null
}

/** The workspaces that the settings and the stores' configurations name, each once. */
export function namedWorkspaces(
  { settings, environment }: Setup,
  documents: readonly PolicyDocument[],
): NamedWorkspace[] {
  const configured = settings.workspaces.map((folder) => ({ folder, from: 'your settings', root: null }))
  const named = documents.flatMap((document) => workspaceIn(document, environment.userHome))
  return [...configured, ...named].filter(
    (place, i, all) => all.findIndex((other) => other.folder === place.folder) === i,
  )
}

/** The workspace that a runtime's configuration names for its agents. */
function workspaceIn(document: PolicyDocument, userHome: string): NamedWorkspace[] {
  if (document.role !== 'store') return []
  const node = nodeAt(parseSource(document.text, document.path).root, ['agents', 'defaults', 'workspace'])
  if (node?.kind !== 'scalar' || typeof node.value !== 'string' || node.value === '') return []
  const folder = node.value.startsWith('~/') ? join(userHome, node.value.slice(2)) : node.value
  return [{ folder, from: document.path, root: { root: join(document.path, '..') } }]
}
