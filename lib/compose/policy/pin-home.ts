import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { settingsFolderOf } from '../../adapters/stores/runtime-version'
import type { PinHome } from '../../engine/findings/remedy-ports'
import type { PolicyDocument } from '../../engine/policy/policy-store'
import type { FoundStore, FoundTranscript } from '../../engine/read/ports'
import { agentWorkspace } from '../agent-workspace'
import type { Setup } from '../setup'
import { wantedWorkspace } from '../stores/workspaces'
import { documentsOfStore } from './policy-sources'

const OF_ALL = 'sends it with every call, in all folders that are worked in'

/**
 * Files of instructions in the settings folder of a runtime, the one that counts first
 * (lib/docs/claude-code-and-codex.md#instructions, lib/docs/openclaw.md#instructions).
 */
const FILES: {
  readonly [kind: string]: {
    readonly names: readonly string[]
    readonly made: string
    readonly reach: string
  }
} = {
  'claude-code': { names: ['CLAUDE.md'], made: 'CLAUDE.md', reach: `Claude Code ${OF_ALL}.` },
  codex: {
    names: ['AGENTS.override.md', 'AGENTS.md'],
    made: 'AGENTS.md',
    reach:
      'Codex sends it with every call, in all folders that are worked in; sessions that run already go on without it.',
  },
  pi: {
    names: ['AGENTS.md', 'CLAUDE.md'],
    made: 'AGENTS.md',
    reach: `pi ${OF_ALL}, from its next start on.`,
  },
}

/** The file of instructions that a runtime sends with each call of a session. No text of a transcript decides where it is. */
export function pinHome(
  setup: Setup,
  documents: readonly PolicyDocument[],
  stores: readonly FoundStore[],
): (store: FoundStore, transcript: Pick<FoundTranscript, 'agent'>) => PinHome {
  return (store, { agent }) => {
    const folder = settingsFolderOf(store)
    if (folder === null)
      return no(
        'The transcripts lie beside no settings of their runtime, so it is not known which instructions it reads.',
      )
    if (store.kind === 'openclaw') return openClawHome(setup, documents, stores, { store, folder, agent })
    const files = FILES[store.kind]
    if (files === undefined)
      return no(`No file of instructions of ${store.kind} is written from here, so nothing can be pinned.`)
    const name = files.names.find((one) => hasText(join(folder, one))) ?? files.made
    return { can: true, path: join(folder, name), folder, reach: files.reach }
  }
}

function openClawHome(
  setup: Setup,
  documents: readonly PolicyDocument[],
  stores: readonly FoundStore[],
  {
    store,
    folder,
    agent,
  }: { readonly store: FoundStore; readonly folder: string; readonly agent: string | null },
): PinHome {
  if (agent !== null && agent !== 'main') {
    const own = agentWorkspace(setup, documentsOfStore(documents, store), stores, { folder, agent })
    return own.can ? agentsFile(own.folder, `of the agent ${agent}`) : own
  }
  const named = documentsOfStore(documents, store).flatMap(
    (document) => wantedWorkspace(setup, document, stores) ?? [],
  )
  const refused = named.find((one) => one.folder === null)
  if (refused !== undefined)
    return no(
      `The workspace ${refused.written} lies outside of the store, and your settings do not allow it (stores: [{ path, allow: { folders: [...] } }]).`,
    )
  const workspace = named.at(-1)?.folder ?? join(folder, 'workspace')
  if (!isFolder(workspace))
    return no(`There is no workspace at ${workspace}, so no AGENTS.md that could hold a rule.`)
  return agentsFile(workspace, `of the agents that work in ${basename(workspace)}`)
}

function agentsFile(workspace: string, whose: string): PinHome {
  const reach = `OpenClaw sends it with every call ${whose}.`
  return { can: true, path: join(workspace, 'AGENTS.md'), folder: workspace, reach }
}

function no(why: string): PinHome {
  return { can: false, why }
}

function hasText(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.isFile() === true && stat.size > 0
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
