/**
 * The rules by their names on the command line and in reports, in the order in which they are applied together. Apart
 * from the rules, so that users of the names alone do not load them.
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

/** What each rule is called, and what it does, in the operator's words. */
export const PRUNE_RULE_WORDS: {
  readonly [N in PruneRuleName]: { readonly label: string; readonly about: string }
} = {
  duplicates: {
    label: 'Repeated calls',
    about: 'Of calls made again in the same words, the last result stays.',
  },
  'superseded-reads': {
    label: 'Old readings',
    about: 'What was read of a file goes once it was read again or written anew.',
  },
  'superseded-writes': {
    label: 'Old writings',
    about: 'What was written to a file goes once it was read whole or written anew.',
  },
  errors: {
    label: 'Failed calls',
    about: 'Arguments of calls that failed go after some turns; the errors stay.',
  },
  age: {
    label: 'Age',
    about: 'Tool results that are old enough go.',
  },
  'cache-ttl': {
    label: 'Cold cache',
    about:
      'OpenClaw’s pruning: once the provider’s cache is cold, long results are trimmed and old ones cleared.',
  },
}
