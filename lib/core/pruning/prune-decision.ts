import type { CallPair } from './call-pairs'
import type { PruneContext } from './prune-context'
import type { PruneRuleName } from './prune-rule-names'

/** Why a rule lets something go; each has one sentence for people. */
export const PRUNE_REASONS = {
  repeated: 'the same call was made again later, in the same words',
  'read-again': 'the file was read again later',
  'written-anew': 'the file was written anew or removed later',
  'read-since': 'the file was read later, as it is since',
  failed: 'arguments of a call that failed, long enough ago',
  old: 'older than tool results stay',
  long: 'long, and the context is filled up to the trimming threshold',
  full: 'the oldest, and the context is filled up to the clearing threshold',
  room: 'the oldest, and room had to be made',
} as const

export type PruneReason = keyof typeof PRUNE_REASONS

/** What is to become of one text: the result at a place, or the arguments of a call of the message at a place. */
export type PruneDecision = {
  readonly at: number
  /** Place of the call among those of its message; null: the text of a result. */
  readonly call: number | null
  /** `trim`: its beginning and its end stay. `clear`: a placeholder is in its stead. */
  readonly action: 'trim' | 'clear'
  readonly rule: PruneRuleName | 'room'
  readonly reason: PruneReason
  /** Characters that it takes before and afterwards. */
  readonly charsBefore: number
  readonly charsAfter: number
  /**
   * Tokens that it frees: its part of the message, by characters, never rounded up. Below 0 where a placeholder is
   * longer than what it replaces.
   */
  readonly freed: number
}

/** Why a rule asks for nothing, where one thing is the reason. */
export const IDLE_REASONS = {
  'cache-unknown': 'no call to a provider is known, so no cache of one can have gone cold',
  'cache-warm': 'the provider’s cache may still be warm',
  'below-trim': 'the context is filled less than the trimming threshold',
  'few-answers': 'there are fewer answers than always stay',
  'no-time': 'its time is 0, which switches it off',
} as const

export type IdleReason = keyof typeof IDLE_REASONS

type RuleOutcome = { readonly decisions: readonly PruneDecision[]; readonly idle: IdleReason | null }

/** A rule of pruning: looks at a context, changes nothing, and says what it would let go and why. */
export type PruneRule = (context: PruneContext) => RuleOutcome

/** A decision on a text of the message at a place, with what it frees. */
export function decide(
  context: PruneContext,
  at: number,
  what: Pick<PruneDecision, 'call' | 'action' | 'rule' | 'reason'>,
  charsBefore: number,
  charsAfter: number,
): PruneDecision {
  const { call, action, rule, reason } = what
  const size = context.size[at] ?? 0
  const freed = size === 0 ? 0 : Math.floor(((context.tokens[at] ?? 0) * (charsBefore - charsAfter)) / size)
  return { at, call, action, rule, reason, charsBefore, charsAfter, freed }
}

/** The decision to clear a result; null where the placeholder would take no less. */
export function clearResult(
  context: PruneContext,
  at: number,
  rule: PruneDecision['rule'],
  reason: PruneReason,
): PruneDecision | null {
  const chars = context.chars[at] ?? 0
  const charsAfter = context.placeholderChars
  if (charsAfter >= chars) return null
  return decide(context, at, { call: null, action: 'clear', rule, reason }, chars, charsAfter)
}

/** The decision to clear the arguments of a call; null where none of them is long. */
export function clearArguments(
  context: PruneContext,
  { at, index, call }: CallPair,
  rule: PruneRuleName,
  reason: PruneReason,
): PruneDecision | null {
  if (call.clearedChars >= call.chars) return null
  const what = { call: index, action: 'clear', rule, reason } as const
  return decide(context, at, what, call.chars, call.clearedChars)
}
