import type { Policy } from '../policy/policy'
import type { PruneRule } from './prune-decision'
import { PRUNE_RULE_NAMES, type PruneRuleName } from './prune-rule-names'
import { pruneByAge } from './rules/by-age'
import { pruneByCacheTtl } from './rules/cache-ttl'
import { pruneDuplicateCalls } from './rules/duplicate-calls'
import { prunePurgedErrors } from './rules/purged-errors'
import { pruneSupersededReads } from './rules/superseded-reads'
import { pruneSupersededWrites } from './rules/superseded-writes'

/** The rules of pruning in the order in which they are applied together. */
export const PRUNE_RULES = {
  duplicates: {
    run: pruneDuplicateCalls,
    isOn: ({ duplicates }) => duplicates,
  },
  'superseded-reads': {
    run: pruneSupersededReads,
    isOn: ({ supersededReads }) => supersededReads,
  },
  'superseded-writes': {
    run: pruneSupersededWrites,
    isOn: ({ supersededWrites }) => supersededWrites,
  },
  errors: {
    run: prunePurgedErrors,
    isOn: ({ errors }) => errors,
  },
  age: {
    run: pruneByAge,
    isOn: ({ byAge }) => byAge,
  },
  'cache-ttl': {
    run: pruneByCacheTtl,
    isOn: ({ cacheTtl }) => cacheTtl.enabled,
  },
} as const satisfies { readonly [N in PruneRuleName]: RuleEntry }

type RuleEntry = {
  readonly run: PruneRule
  /** Whether a policy has it switched on. */
  readonly isOn: (knobs: Policy['pruning']) => boolean
}

/** The rules that a policy has switched on, in order. */
export function rulesOf({ pruning }: Pick<Policy, 'pruning'>): PruneRuleName[] {
  return PRUNE_RULE_NAMES.filter((name) => PRUNE_RULES[name].isOn(pruning))
}
