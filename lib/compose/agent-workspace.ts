import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { confinedFolder } from '../adapters/discovery/confined-folder'
import { absolutePath } from '../config/env'
import { nodeAt, parseSource, plainValue } from '../core/policy/source-tree'
import type { PolicyDocument } from '../engine/policy/policy-store'
import type { FoundStore } from '../engine/read/ports'
import type { Setup } from './setup'
import { storeTrust } from './stores/store-trust'

/** The folder whose files an agent is sent; or why none is used, a sentence. */
type AgentWorkspace =
  | { readonly can: true; readonly folder: string }
  | { readonly can: false; readonly why: string }

/** An agent's name becomes a part of a path: what OpenClaw itself would write otherwise is no name. */
const AGENT = /^[a-z0-9][a-z0-9_-]{0,63}$/

type Wanted = { readonly written: string; readonly from: string }

/**
 * The workspace of an OpenClaw agent (lib/docs/openclaw.md#instructions): its own one by the settings of the store, else
 * that of all for the agent that OpenClaw starts with, else a folder of its name. A store decides no folder: it has to lie
 * in the store, or where the operator's settings say so.
 * @param documents the settings files of its store, weakest first
 * @param place.folder the folder of these settings
 */
export function agentWorkspace(
  setup: Setup,
  documents: readonly PolicyDocument[],
  stores: readonly FoundStore[],
  { folder, agent }: { readonly folder: string; readonly agent: string },
): AgentWorkspace {
  if (!AGENT.test(agent)) return no('The agent has a name that OpenClaw gives none.')
  const files = documents.filter(({ role }) => role === 'store')
  const own = files.flatMap((document) => ownWorkspace(document, agent)).at(-1)
  const included = files.find(({ includes }) => includes.length > 0)
  // What an included file says of agents is not looked for.
  if (own === undefined && included !== undefined)
    return no(
      `${included.path} includes other files, so the workspace of the agent ${agent} is not known for sure: put the rule into its AGENTS.md yourself.`,
    )
  const wanted = own === undefined ? namedByAgent(files, folder, agent) : [own]
  const trust = storeTrust(setup, folder, stores)
  const found = wanted.flatMap(({ written, from }) => {
    const path = resolve(absolutePath(written, dirname(from), setup.environment.userHome))
    const real = trust.folder(written, from) ?? confinedFolder(path, setup.settings.workspaces)
    return isFolder(path) ? [{ path, real }] : []
  })
  const [only, other] = found
  if (only === undefined)
    return no(
      `There is no workspace of the agent ${agent} at ${wanted.map(({ written }) => written).join(' or ')}, so no AGENTS.md that could hold a rule.`,
    )
  if (other !== undefined)
    return no(
      `Both ${only.path} and ${other.path} are there, and which one the agent ${agent} works in depends on the release of OpenClaw: name it in openclaw.json (agents.list, workspace).`,
    )
  return only.real === null ? no(outsideWords(only.path, agent)) : { can: true, folder: only.real }
}

function outsideWords(path: string, agent: string): string {
  return `The workspace ${path} of the agent ${agent} lies outside of the store. If you want it to be written to, list it below workspaces: in plimsoll.yaml, or let the store have it (stores: [{ path, allow: { folders: [${JSON.stringify(path)}] } }]).`
}

/** What the settings say of the agent itself: below `agents.entries` by its name, or in `agents.list`. */
function ownWorkspace({ text, path }: PolicyDocument, agent: string): Wanted[] {
  const { root } = parseSource(text, path)
  const entry = nodeAt(root, ['agents', 'entries', agent])
  const list = nodeAt(root, ['agents', 'list'])
  const listed =
    list?.kind === 'list'
      ? list.items.find((item) => plainText(nodeAt(item, ['id']))?.toLowerCase() === agent)
      : undefined
  const written = plainText(nodeAt(entry ?? listed ?? null, ['workspace']))
  return written === null ? [] : [{ written, from: path }]
}

/** Folders of its name: below the workspace of all since 2026.9, in the state folder before, and where none is named. */
function namedByAgent(files: readonly PolicyDocument[], folder: string, agent: string): Wanted[] {
  const named = files.flatMap(({ text, path }) => {
    const written = plainText(nodeAt(parseSource(text, path).root, ['agents', 'defaults', 'workspace']))
    return written === null ? [] : [{ written: join(written, agent), from: path }]
  })
  const inState = { written: join(folder, `workspace-${agent}`), from: join(folder, 'openclaw.json') }
  return [...named.slice(-1), inState]
}

function plainText(node: Parameters<typeof plainValue>[0] | null): string | null {
  const value = node === null ? null : plainValue(node)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function no(why: string): AgentWorkspace {
  return { can: false, why }
}
