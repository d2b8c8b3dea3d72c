import { faultOf } from '../../core/policy/fault-of'
import type { PruneRuleName } from '../../core/pruning/prune-rule-names'
import { knobValue, type PlanKnob, planKnob } from '../compaction/plan-knobs'
import type { PolicyChanges } from '../policy/policy-edit'
import { parseTrialBase, type TrialBase } from '../policy/policy-trial'
import type { SearchValues } from '../session/session-selection'
import { wholeNumber } from '../session/session-selection'
import { addressQuery } from '../text/address-query'

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

/** What protects, and what rules go by, the most telling first. The switches of rules are beside their figures. */
export const PRUNE_KNOBS: readonly PlanKnob[] = [
  planKnob('pruning.keepLastMessages', { from: 0, to: 100, step: 1 }),
  planKnob('pruning.toolResultsAfterMs', { from: 0, to: HOUR, step: 10_000 }),
  planKnob('pruning.keepRecentMs', { from: 0, to: HOUR, step: 10_000 }),
  planKnob('pruning.errorTurns', { from: 0, to: 20, step: 1 }),
  planKnob('pruning.cacheTtl.ttlMs', { from: 0, to: HOUR, step: 60_000 }),
  planKnob('pruning.cacheTtl.keepLastAssistants', { from: 0, to: 20, step: 1 }),
  planKnob('pruning.cacheTtl.softTrimRatio', { from: 0, to: 1, step: 0.05 }),
  planKnob('pruning.cacheTtl.hardClearRatio', { from: 0, to: 1, step: 0.05 }),
  planKnob('pruning.cacheTtl.minPrunableChars', { from: 0, to: 200_000, step: 1000 }),
  planKnob('pruning.cacheTtl.softTrimMaxChars', { from: 0, to: 20_000, step: 500 }),
  planKnob('pruning.cacheTtl.hardClear'),
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

/** Reads knobs from an address; what cannot be there is as good as nothing. */
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
  return addressQuery(search)
}
