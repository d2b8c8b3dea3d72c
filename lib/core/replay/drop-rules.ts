/** Why a chunk left in a replay, by its number; each has one sentence for people. */
export const DROP_RULES = {
  kept: 'it stayed',
  cut: 'it was before the cut of a compaction, and the summary does not hold it',
  window: 'it did not fit into the window any more',
  turns: 'it was older than the newest turns that are kept',
  calls: 'it was older than the newest calls that are kept',
  tokens: 'it was behind the newest tokens that are kept',
  masked: 'results older than so many calls are masked',
  batch: 'old results were masked in one go once there were enough of them',
  idle: 'the session had waited so long that old results were cleared',
  clear: 'old tool uses were cleared at a threshold',
  duplicates: 'the same call was made again later, in the same words',
  'superseded-reads': 'the file was read again, or written anew, later',
  'superseded-writes': 'the file was read, or written anew, later',
  errors: 'arguments of a call that failed, long enough ago',
  age: 'the result was older than tool results stay',
  'cache-ttl': 'the cache had gone cold, and old results were trimmed or cleared',
  relevance: 'its score was at or below the cut-off',
  limit: 'the lowest score that was left above the hard limit',
  unused: 'nothing had used it for longest',
  dependencies: 'nothing that is still in use depends on it',
  chance: 'chance chose it',
  future: 'nothing needs it later',
  recorded: 'the recorded compaction left it behind',
} as const

export type DropRule = keyof typeof DROP_RULES

/** By their numbers, which a walk keeps for each chunk. */
export const DROP_RULE_NAMES = Object.keys(DROP_RULES) as readonly DropRule[]

const NUMBERS = new Map(DROP_RULE_NAMES.map((name, number) => [name, number]))

/** The number of a rule. */
export function dropRule(name: DropRule): number {
  return NUMBERS.get(name) ?? 0
}
