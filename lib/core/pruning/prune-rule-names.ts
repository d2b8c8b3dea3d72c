/**
 * The rules by their names on the command line and in reports, in the order in which they are applied together. Apart
 * from the rules, so that whoever needs the names alone does not load them.
 */
export const PRUNE_RULE_NAMES = [
  'duplicates',
  'superseded-reads',
  'superseded-writes',
  'errors',
  'age',
  'cache-ttl',
] as const

export type PruneRuleName = (typeof PRUNE_RULE_NAMES)[number]

export function isPruneRule(name: string): name is PruneRuleName {
  return (PRUNE_RULE_NAMES as readonly string[]).includes(name)
}
