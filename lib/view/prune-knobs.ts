import { faultOf } from '../core/policy/schema-at'
import type { PruneRuleName } from '../core/pruning/prune-rule-names'
import { knobValue, type PlanKnob } from './plan-knobs'
import type { PolicyChanges } from './policy-edit'
import { parseTrialBase, type TrialBase } from './policy-trial'
import type { SearchValues } from './session-selection'
import { wholeNumber } from './session-selection'

/** The value of the policy that switches each rule on. */
export const RULE_SWITCHES: { readonly [R in PruneRuleName]: string } = {
  duplicates: 'pruning.duplicates',
  'superseded-reads': 'pruning.supersededReads',
  'superseded-writes': 'pruning.supersededWrites',
  errors: 'pruning.errors',
  age: 'pruning.byAge',
  'cache-ttl': 'pruning.cacheTtl.enabled',
}

const HOUR = 3_600_000

/** What protects, and what rules go by, the most telling first. The switches of rules stand beside their figures. */
export const PRUNE_KNOBS: readonly PlanKnob[] = [
  { path: 'pruning.keepLastMessages', kind: 'number', range: { from: 0, to: 100, step: 1 } },
  { path: 'pruning.toolResultsAfterMs', kind: 'number', range: { from: 0, to: HOUR, step: 10_000 } },
  { path: 'pruning.keepRecentMs', kind: 'number', range: { from: 0, to: HOUR, step: 10_000 } },
  { path: 'pruning.errorTurns', kind: 'number', range: { from: 0, to: 20, step: 1 } },
  { path: 'pruning.cacheTtl.ttlMs', kind: 'number', range: { from: 0, to: HOUR, step: 60_000 } },
  { path: 'pruning.cacheTtl.keepLastAssistants', kind: 'number', range: { from: 0, to: 20, step: 1 } },
  { path: 'pruning.cacheTtl.softTrimRatio', kind: 'share', range: { from: 0, to: 1, step: 0.05 } },
  { path: 'pruning.cacheTtl.hardClearRatio', kind: 'share', range: { from: 0, to: 1, step: 0.05 } },
  { path: 'pruning.cacheTtl.minPrunableChars', kind: 'number', range: { from: 0, to: 200_000, step: 1000 } },
  { path: 'pruning.cacheTtl.softTrimMaxChars', kind: 'number', range: { from: 0, to: 20_000, step: 500 } },
  { path: 'pruning.cacheTtl.hardClear', kind: 'flag' },
]

/** How pruning is tried on a session: nothing of it is saved. */
export type PruneKnobs = {
  readonly base: TrialBase
  /** Values that are not as the base has them. */
  readonly changes: PolicyChanges
  /** The call at which is looked; null: the next one. */
  readonly call: number | null
}

const PATHS = [...Object.values(RULE_SWITCHES), ...PRUNE_KNOBS.map(({ path }) => path)]

/** Reads knobs from an address; what cannot stand there is as good as nothing. */
export function readPruneKnobs(values: SearchValues): PruneKnobs {
  const changes: { [path: string]: unknown } = {}
  for (const path of PATHS) {
    const text = values[path]
    if (typeof text !== 'string') continue
    const value = knobValue(text)
    if (faultOf(path, value) === null) changes[path] = value
  }
  return { base: parseTrialBase(values.base) ?? 'effective', changes, call: wholeNumber(values.call) }
}

/** The part of an address that names knobs: '' or `?…`; defaults are left out. */
export function pruneKnobsSearch({ base, changes, call }: PruneKnobs): string {
  const search = new URLSearchParams()
  if (base !== 'effective') search.set('base', base)
  for (const path of PATHS) if (path in changes) search.set(path, String(changes[path]))
  if (call !== null) search.set('call', String(call))
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}
