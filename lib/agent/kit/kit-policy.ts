import type { Policy, PolicyPatch } from '../../core/policy/policy'
import { isPreset, PRESETS } from '../../core/policy/presets'
import { type PolicyLayer, resolvePolicy } from '../../core/policy/resolve'
import { rulesOf } from '../../core/pruning/prune-rules'
import type { ContextOptions } from './context-options'

type Given = Pick<ContextOptions, 'policy' | 'memory' | 'onFlush'>

/** What has no handler is switched off: to save its memory before a compaction, and to find checkpoints later. */
function missingParts({ memory, onFlush }: Given): PolicyPatch {
  const off = { enabled: false }
  return {
    lines: {
      ...(onFlush === undefined ? { flush: off } : {}),
      ...(memory === undefined ? { checkpoints: off } : {}),
    },
  }
}

/**
 * What a context does otherwise than the default policy where no preset is named: below the first line it sends the
 * caller's messages as they are, whatever is in them and however old they are, so that the provider's cache holds.
 */
const UNTOUCHED: PolicyPatch = {
  history: { sendThinking: true },
  summary: { sliding: { enabled: false } },
  // No result goes from a request alone: nothing would have a copy of it.
  pruning: {
    ...{ duplicates: false, supersededReads: false, supersededWrites: false, errors: false },
    toolResultsAfterMs: 0,
  },
}

/** The policy of a context: the preset that is named, or what is said here, and over it what the caller says. */
export function kitPolicy({ policy, ...given }: Given): Policy {
  const named = typeof policy === 'string' && isPreset(policy) ? policy : null
  const layers: PolicyLayer[] = [
    { level: 'default', label: 'createContext', patch: missingParts(given) },
    named === null
      ? { level: 'preset', label: 'createContext', patch: UNTOUCHED }
      : { level: 'preset', label: `preset ${named}`, patch: PRESETS[named] },
  ]
  if (typeof policy === 'object') layers.push({ level: 'session', label: 'policy', patch: policy })
  return resolvePolicy(layers).policy
}

/**
 * Whether what has little to do with the prompt is dropped. Without a preset, and as long as the caller's policy does not
 * speak of relevance, a summary takes its place instead.
 */
export function dropsByRelevance(policy: ContextOptions['policy']): boolean {
  return typeof policy === 'string' || policy?.relevance !== undefined
}

/** Whether a policy takes something out of each request that no line of the ladder asks for. */
export function limitsRequests(policy: Policy): boolean {
  const { history, budget } = policy
  return (
    !history.sendThinking ||
    history.maxTurns !== null ||
    Object.keys(history.channels).length > 0 ||
    budget.enabled ||
    rulesOf(policy).some((rule) => rule !== 'age' || !policy.pruning.summarizeFirst)
  )
}
