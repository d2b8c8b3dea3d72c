import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { agentMemoryFolder } from '../adapters/agent-memory-folder'
import { commandHooks } from '../adapters/command-hooks'
import { decodeUtf8 } from '../adapters/decode-utf8'
import { fastEstimate } from '../adapters/fast-estimate'
import { openSummaryChain } from '../adapters/summarizers/open-summary-chain'
import { workspaceRulesIn } from '../adapters/workspace-rules-file'
import type { Policy } from '../core/policy/policy'
import { maskSecrets } from '../core/redaction/secrets'
import type { CompactionPorts } from '../engine/compaction-ports'
import { Lanes } from '../engine/lanes'
import type { StoreReader } from '../engine/ports'
import type { CoveringMemory } from '../engine/stored-covering'
import type { SummaryChain } from '../engine/summary-chain'
import type { RulesOf } from '../engine/summary-material'
import type { Writer } from '../engine/write-ports'
import type { SummaryOptions } from '../engine/write-summary'
import type { Setup, Variables } from '../wire'
import { openLog } from './logs'
import { lookPorts } from './transcript-look'

/** Compactions of different sessions that may run side by side. */
const AT_ONCE = 2

/** One set of lanes for the whole process: two compactions of a session must meet in it. */
const lanes = new Lanes(AT_ONCE)

/** How texts of summaries are sized, and what of them never leaves the machine. */
export const SUMMARY_PORTS: Pick<SummaryOptions, 'sizeOf' | 'mask' | 'isSecret'> = {
  sizeOf: fastEstimate,
  mask: maskSecrets,
  isSecret: (text) => maskSecrets(text) !== text,
}

/** What compacting a session takes, put together. */
export function compactionPorts(setup: Setup, writer: Writer, reader: StoreReader): CompactionPorts {
  const { beforeCompaction, afterCompaction, timeoutSeconds } = setup.settings.hooks
  return {
    writer,
    reader,
    lanes,
    hooks: commandHooks({
      before: beforeCompaction,
      after: afterCompaction,
      timeoutMs: timeoutSeconds * 1000,
    }),
    decode: decodeUtf8,
    look: lookPorts,
    log: openLog(setup),
    newEntryId,
    summary: SUMMARY_PORTS,
    memories: agentMemories(setup),
    rulesOf: workspaceRulesOf(setup),
  }
}

/** Finds the rules of workspaces that the settings name, and of those that lie in a store. */
export function workspaceRulesOf({ settings }: Setup): RulesOf {
  return workspaceRulesIn(settings.workspaces)
}

/** Where agents that use the library keep checkpoints: named folders, and the one that a workspace has for it. */
export function agentMemories({ settings }: Setup): CoveringMemory[] {
  const ofWorkspaces = settings.workspaces.map((workspace) => join(workspace, 'memory', 'context'))
  return [...new Set([...settings.agentMemory, ...ofWorkspaces])].map(agentMemoryFolder)
}

const chains = new Map<string, SummaryChain>()

/**
 * The summarising model that a policy names, and the session's own behind it; null when the policy names none, and the
 * digest is the summary. One chain for each model and address, so that its failures are remembered from one compaction to
 * the next.
 * @param session names its own model
 */
export function summaryChain(
  { summary }: Policy,
  variables: Variables,
  session: { readonly provider: string | null; readonly model: string | null },
): SummaryChain | null {
  const { provider, model } = session
  const main = provider === null || model === null ? null : `${provider}/${model}`
  const key = `${summary.url} ${summary.model} ${main}`
  const known = chains.get(key)
  if (known !== undefined) return known
  const chain = openSummaryChain({ summary }, (variable) => variables[variable], main)
  if (chain === null) return null
  chains.set(key, chain)
  return chain
}

/** Eight hex digits that no entry has yet. */
export function newEntryId(isTaken: (id: string) => boolean): string {
  for (;;) {
    const id = randomBytes(4).toString('hex')
    if (!isTaken(id)) return id
  }
}
