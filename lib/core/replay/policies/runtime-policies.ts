import { runtimeCompactLine } from '../../budget/runtime-lines'
import { NO_SUBJECT } from '../../policy/effective'
import { type RuntimeOwner, type RuntimePolicy, runtimePolicy } from '../../policy/runtime/runtime-policy'
import { digestBudget } from '../../summary/digest'
import type { PolicyStep, ReplayPolicy } from '../replay-policy'
import type { ReplayWalk } from '../walk/replay-walk'
import { type CompactAt, compactNow, compactStep } from './compact-at'
import { policyReplay } from './of-policy'
import { type PrunePolicyFacts, prunePolicyFacts, pruneStep } from './prune-step'

/** What the compaction of a runtime carries word for word, and how its request for a summary is paid. */
const WAYS: { readonly [O in RuntimeOwner]: Pick<CompactAt, 'carries' | 'request'> } = {
  // Its summary is asked for with a separate prompt, which names the newest request.
  openclaw: { carries: 'ask', request: 'cold' },
  pi: { carries: 'nothing', request: 'cold' },
  // It asks at the end of the conversation itself, which is in the cache.
  'claude-code': { carries: 'nothing', request: 'warm' },
  codex: { carries: { usersOf: 20_000 }, request: 'warm' },
  opencode: { carries: 'nothing', request: 'warm' },
  library: { carries: 'ask and important', request: 'none' },
}

/**
 * What the runtime that owns a session does, by its own settings: its line, its cut. Where a provider cuts prompts, it acts
 * in the larger window that it believes in; drafts and presets act in the one that the model sees. What its model would
 * have written is not known: our digest of the same part says what a summary would hold.
 */
export function runtimeReplay(runtime: RuntimePolicy, id: string, label: string): ReplayPolicy {
  const { policy } = runtime
  const { kind, name } = runtime.runtime
  if (kind === 'library')
    return policyReplay(policy, {
      ...{ id, label, family: 'runtime', source: 'its settings' },
      about: `${name}: the library, by its own settings.`,
    })
  const keepsAll = kind === 'claude-code' || kind === 'codex'
  const own = keepsAll ? { ...policy, compaction: { ...policy.compaction, keepRecentTokens: 0 } } : policy
  const facts = prunePolicyFacts(policy)
  return {
    id,
    label,
    about: `${name}: compacts at its own line and keeps ${keepsAll ? 'no tail' : `the newest ${policy.compaction.keepRecentTokens} tokens`}. What its model would write is unknown; our digest of the same size is taken for it.`,
    source: 'the runtime’s published files, and its settings where they are read',
    family: 'runtime',
    start: (walk) => runtimeStep(walk, runtime, facts, { ...WAYS[kind], policy: own }),
  }
}

function runtimeStep(
  walk: ReplayWalk,
  runtime: RuntimePolicy,
  facts: PrunePolicyFacts,
  way: Pick<CompactAt, 'carries' | 'request' | 'policy'>,
): PolicyStep {
  walk.believesRuntime = true
  const how: CompactAt = {
    ...way,
    line: (window) => runtimeCompactLine(runtime, window),
    summary: 'digest',
    summaryTokens: digestBudget,
    worth: 0,
  }
  const compact = compactStep(walk, how)
  const { client } = runtime.runtime
  const idle = client?.kind === 'claude-code' ? client.idle : null
  const prune = pruneStep(walk, facts)
  return (call) => {
    // It compacts a session that waits, shortly before its cache goes cold.
    const waited = (walk.shape.gap[call] as number) >= IDLE_COMPACT_MS
    if (idle !== null && waited && walk.prompt >= idle) compactNow(walk, how)
    prune(call)
    compact(call)
  }
}

/** Nine tenths of the hour that the cache of Claude Code lasts (lib/docs/claude-code-and-codex.md#line-of-claude-code). */
const IDLE_COMPACT_MS = 54 * 60_000

const OWNERS = [
  ['openclaw', 'OpenClaw 2026.9', 'sqlite'],
  ['pi', 'pi', 'jsonl'],
  ['claude-code', 'Claude Code', 'jsonl'],
  ['codex', 'Codex', 'jsonl'],
  ['opencode', 'OpenCode', 'jsonl'],
] as const satisfies readonly (readonly [RuntimeOwner, string, 'jsonl' | 'sqlite'])[]

/** The runtimes as they are without any setting. */
export function runtimeDefaults(): ReplayPolicy[] {
  return OWNERS.map(([owner, label, era]) => {
    const store = { owner, era, version: null, files: [], own: null }
    const subject = { ...NO_SUBJECT, provider: null, at: null }
    return runtimeReplay(runtimePolicy(store, subject), `runtime-${owner}`, `${label}, without settings`)
  })
}
