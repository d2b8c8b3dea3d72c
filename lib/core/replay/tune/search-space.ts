import { DEFAULT_POLICY } from '../../policy/default-policy'
import { valueAtKeys } from '../../policy/path'
import type { Policy, PolicyPatch } from '../../policy/policy'
import { resolvePolicy } from '../../policy/resolve'

/** A knob that is tuned: where it is in a policy, and what it may be. */
export type TunedKnob = {
  readonly path: string
  readonly low: number
  readonly high: number
  /** `log`: a doubling counts the same anywhere. `switch`: on from the middle on. */
  readonly scale: 'linear' | 'log' | 'switch'
  /** Whole numbers alone. */
  readonly whole: boolean
}

const knob = (
  path: string,
  low: number,
  high: number,
  scale: TunedKnob['scale'] = 'linear',
  whole = false,
): TunedKnob => ({ path, low, high, scale, whole })
const toggle = (path: string): TunedKnob => knob(path, 0, 1, 'switch')

/**
 * What is tuned. Relevance is not: its scores need the prompt of each turn, and in replay they are known in part alone.
 */
export const TUNED_KNOBS: readonly TunedKnob[] = [
  knob('lines.compact.at', 0.15, 0.9),
  knob('compaction.keepRecentTokens', 2_000, 64_000, 'log', true),
  knob('summary.rolling.maxTokens', 256, 2_000, 'log', true),
  knob('history.maxShare', 0.1, 0.6),
  toggle('pruning.cacheTtl.enabled'),
  knob('pruning.cacheTtl.softTrimRatio', 0.02, 0.6),
  knob('pruning.cacheTtl.hardClearRatio', 0.04, 0.8),
  knob('pruning.cacheTtl.keepLastAssistants', 1, 40, 'log', true),
  toggle('pruning.byAge'),
  knob('pruning.toolResultsAfterMs', 60_000, 7_200_000, 'log', true),
  knob('pruning.keepLastMessages', 1, 80, 'log', true),
  toggle('pruning.duplicates'),
  toggle('pruning.supersededReads'),
  toggle('pruning.supersededWrites'),
  toggle('pruning.errors'),
  knob('summary.sliding.everyIterations', 1, 60, 'log', true),
]

/** A policy as a point: a number from 0 to below 1 for each tuned knob, in their order. */
export type Genes = readonly number[]

/** What a point says of the knobs. */
export function patchOf(genes: Genes): PolicyPatch {
  const patch: Tree = {}
  for (const [i, tuned] of TUNED_KNOBS.entries()) {
    const keys = tuned.path.split('.')
    let tree = patch
    for (const key of keys.slice(0, -1)) {
      const inner = (tree[key] ?? {}) as Tree
      tree[key] = inner
      tree = inner
    }
    tree[keys.at(-1) ?? ''] = valueAt(tuned, genes[i] ?? 0)
  }
  return patch as PolicyPatch
}

type Tree = { [key: string]: unknown }

/** Knobs that every candidate has the same: what is tuned acts by itself, nothing is dropped by relevance. */
const FIXED: PolicyPatch = {
  lines: { curate: { enabled: false }, compact: { enabled: true }, slide: { enabled: false } },
  compaction: { withinShare: true },
  summary: { mediumChunks: false, sliding: { enabled: false } },
  coldStorage: { enabled: false },
}

/** The policy of a point: a base, what every candidate has, and what the point says. */
export function tunedPolicy(base: Policy, genes: Genes): Policy {
  const patch = patchOf(genes)
  const { softTrimRatio = 0, hardClearRatio = 0 } = patch.pruning?.cacheTtl ?? {}
  // It clears no earlier than it trims.
  const held: PolicyPatch = {
    pruning: { cacheTtl: { hardClearRatio: Math.max(hardClearRatio, softTrimRatio) } },
  }
  return resolvePolicy([
    { level: 'preset', label: 'base', patch: base as PolicyPatch },
    { level: 'store', label: 'every candidate', patch: FIXED },
    { level: 'agent', label: 'point', patch },
    { level: 'session', label: 'held', patch: held },
  ]).policy
}

/** The nearest point to a policy. */
export function genesOf(policy: Policy): Genes {
  return TUNED_KNOBS.map((tuned) => {
    const value =
      valueAtKeys(policy, tuned.path.split('.')) ?? valueAtKeys(DEFAULT_POLICY, tuned.path.split('.'))
    return placeOf(tuned, Number(value))
  })
}

function valueAt({ low, high, scale, whole }: TunedKnob, gene: number): number | boolean {
  if (scale === 'switch') return gene >= 0.5
  const value = scale === 'log' ? low * (high / low) ** gene : low + (high - low) * gene
  return whole ? Math.round(value) : Math.round(value * 1_000) / 1_000
}

function placeOf({ low, high, scale }: TunedKnob, value: number): number {
  if (scale === 'switch') return value === 0 ? 0.25 : 0.75
  const held = Math.min(high, Math.max(low, value))
  const place = scale === 'log' ? Math.log(held / low) / Math.log(high / low) : (held - low) / (high - low)
  return Math.min(0.999_999, place)
}
