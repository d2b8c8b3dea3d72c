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
    label: 'Repeated calls',
    about: 'Of calls made again in the same words, the last result stays.',
    isOn: ({ duplicates }) => duplicates,
  },
  'superseded-reads': {
    run: pruneSupersededReads,
    label: 'Old readings',
    about: 'What was read of a file goes once it was read again or written anew.',
    isOn: ({ supersededReads }) => supersededReads,
  },
  'superseded-writes': {
    run: pruneSupersededWrites,
    label: 'Old writings',
    about: 'What was written to a file goes once it was read whole or written anew.',
    isOn: ({ supersededWrites }) => supersededWrites,
  },
  errors: {
    run: prunePurgedErrors,
    label: 'Failed calls',
    about: 'Arguments of calls that failed go after some turns; the errors stay.',
    isOn: ({ errors }) => errors,
  },
  age: {
    run: pruneByAge,
    label: 'Age',
    about: 'Tool results that are old enough go.',
    isOn: ({ byAge }) => byAge,
  },
  'cache-ttl': {
    run: pruneByCacheTtl,
    label: 'Cold cache',
    about:
      'OpenClaw’s pruning: once the provider’s cache is cold, long results are trimmed and old ones cleared.',
    isOn: ({ cacheTtl }) => cacheTtl.enabled,
  },
} as const satisfies { readonly [N in PruneRuleName]: RuleEntry }

type RuleEntry = {
  readonly run: PruneRule
  readonly label: string
  readonly about: string
  /** Whether a policy has it switched on. */
  readonly isOn: (knobs: Policy['pruning']) => boolean
}

/** The rules that a policy has switched on, in order. */
export function rulesOf({ pruning }: Pick<Policy, 'pruning'>): PruneRuleName[] {
  return PRUNE_RULE_NAMES.filter((name) => PRUNE_RULES[name].isOn(pruning))
}
