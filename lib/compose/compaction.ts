import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { asyncCallScope } from '../adapters/agent/async-call-scope'
import { decodeUtf8 } from '../adapters/jsonl/decode-utf8'
import { fastEstimate } from '../adapters/jsonl/fast-estimate'
import { agentMemoryFolder } from '../adapters/memory/agent-memory-folder'
import { workspaceRulesIn } from '../adapters/policy/workspace-rules-file'
import { commandHooks } from '../adapters/process/command-hooks'
import { keptSummaryFiles } from '../adapters/summarizers/kept-summary-files'
import { openSummaryChain } from '../adapters/summarizers/open-summary-chain'
import { nodeWriteFiles } from '../adapters/write/node-write-files'
import type { Policy } from '../core/policy/policy'
import { maskSecrets } from '../core/redaction/secrets'
import type { CompactionPorts, DryRunPorts } from '../engine/compaction/compaction-ports'
import type { KeptSummaries } from '../engine/compaction/kept-summary'
import type { RunPorts } from '../engine/compaction/run-compaction'
import type { CheckpointMemory } from '../engine/compaction/stored-checkpoint'
import type { SummaryModels } from '../engine/compaction/summary-models'
import { Lanes } from '../engine/jobs/lanes'
import type { StoreReader } from '../engine/read/ports'
import type { SummaryChain } from '../engine/summary/summary-chain'
import type { SummaryOptions } from '../engine/summary/write-summary'
import type { Writer } from '../engine/write/write-ports'
import { openGateway } from './gateway'
import { openLog } from './logs'
import type { Setup, Variables } from './open'
import { peekPorts } from './transcript-peek'

/** Compactions of different sessions that may run side by side. */
const AT_ONCE = 2

/** One set of lanes for the whole process: two compactions of a session must meet in it. */
const lanes = new Lanes(AT_ONCE, asyncCallScope())
/** A gateway is asked one thing at a time, by whoever shares the store. */
const gatewayLanes = new Lanes(1)

/** How texts of summaries are sized, and what of them never leaves the machine. */
export const SUMMARY_PORTS: Pick<SummaryOptions, 'sizeOf' | 'mask' | 'isSecret'> = {
  sizeOf: fastEstimate,
  mask: maskSecrets,
  isSecret: (text) => maskSecrets(text) !== text,
}

/** What a dry run of a compaction takes, and looking at a summary that is pending. */
export function dryRunPorts(setup: Setup, variables: Variables, reader: StoreReader): DryRunPorts {
  return {
    reader,
    writer: { files: nodeWriteFiles },
    summary: SUMMARY_PORTS,
    memories: agentMemories(setup),
    rulesOf: workspaceRulesIn(setup.settings.workspaces),
    kept: keptSummaries(setup),
    models: summaryModels(setup, variables),
  }
}

/** What compacting a session by ourselves takes. */
export function compactionPorts(setup: Setup, writer: Writer, reader: StoreReader): CompactionPorts {
  const { beforeCompaction, afterCompaction, timeoutSeconds } = setup.settings.hooks
  const { models: _, ...reads } = dryRunPorts(setup, {}, reader)
  return {
    ...reads,
    writer,
    lanes,
    hooks: commandHooks({
      before: beforeCompaction,
      after: afterCompaction,
      timeoutMs: timeoutSeconds * 1000,
    }),
    decode: decodeUtf8,
    look: peekPorts,
    log: openLog(setup),
    newEntryId,
  }
}

/** What compacting a session takes, whoever does it. @param openWriter asked only when it is us. @throws Refused */
export function runPorts(
  setup: Setup,
  variables: Variables,
  reader: StoreReader,
  openWriter: () => Promise<Writer>,
  diagnose?: CompactionPorts['diagnose'],
): RunPorts {
  return {
    reader,
    models: summaryModels(setup, variables),
    gateway: openGateway(setup, variables),
    gatewayLanes,
    own: async () => ({ ...compactionPorts(setup, await openWriter(), reader), diagnose }),
  }
}

/** The models that may be asked for summaries, with keys from these variables. */
export function summaryModels(setup: Setup, variables: Variables): SummaryModels {
  return {
    chainFor: (policy, session) => summaryChain(policy, setup, variables, session),
    prices: setup.settings.prices,
  }
}

/** Where what models were paid for is kept until it is written. */
function keptSummaries({ environment }: Setup): KeptSummaries {
  return keptSummaryFiles(join(environment.home, 'summaries'), Date.now)
}

/** Where agents that use the library keep checkpoints: named folders, and the one that a workspace has for it. */
function agentMemories({ settings }: Setup): CheckpointMemory[] {
  const ofWorkspaces = settings.workspaces.map((workspace) => join(workspace, 'memory', 'context'))
  return [...new Set([...settings.agentMemory, ...ofWorkspaces])].map(agentMemoryFolder)
}

/** What of a setup says where keys may go. */
export type WithKeys = { readonly settings: Pick<Setup['settings'], 'keys'> }

/** By the environment that their keys come from. */
const chains = new WeakMap<Variables, Map<string, SummaryChain>>()

/**
 * The summarising model that a policy names, and the session's own behind it; null when neither can be asked, and the
 * digest is the summary. One chain for each model and address, so that its failures are remembered from one compaction to
 * the next.
 * @param session names its own model
 */
export function summaryChain(
  { summary }: Policy,
  { settings }: WithKeys,
  variables: Variables,
  session: { readonly provider: string | null; readonly model: string | null },
): SummaryChain | null {
  const { provider, model } = session
  const main = provider === null || model === null ? null : `${provider}/${model}`
  const key = JSON.stringify([summary.url, summary.model, summary.fallbackToMain, main, settings.keys])
  const ofEnvironment = chains.get(variables) ?? new Map<string, SummaryChain>()
  chains.set(variables, ofEnvironment)
  const known = ofEnvironment.get(key)
  if (known !== undefined) return known
  const chain = openSummaryChain({ summary }, (variable) => variables[variable], main, settings.keys)
  if (chain === null) return null
  ofEnvironment.set(key, chain)
  return chain
}

/** Eight hex digits that no entry has yet. */
export function newEntryId(isTaken: (id: string) => boolean): string {
  for (;;) {
    const id = randomBytes(4).toString('hex')
    if (!isTaken(id)) return id
  }
}
