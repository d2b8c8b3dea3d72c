import type { PruneContext } from './prune-context'
import type { PruneMessage } from './prune-message'
import { weighedChars } from './pruner-chars'

/** Why a rule lets something go; each has one sentence for people. */
export const PRUNE_REASONS = {
  repeated: 'the same call was made again later, in the same words',
  'read-again': 'the file was read again later',
  'written-anew': 'the file was written anew or removed later',
  'read-since': 'the file was read later, as it stands since',
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
  /** `trim`: its beginning and its end stay. `clear`: a placeholder stands in its stead. */
  readonly action: 'trim' | 'clear'
  readonly reason: PruneReason
  /** Characters that it takes before and afterwards. */
  readonly charsBefore: number
  readonly charsAfter: number
}

/** Why a rule asks for nothing, where one thing is the reason. */
export const IDLE_REASONS = {
  'cache-unknown': 'no call to a provider is known, so no cache of one can have gone cold',
  'cache-warm': 'the provider’s cache may still be warm',
  'below-trim': 'the context is filled less than the trimming threshold',
  'few-answers': 'there are fewer answers than always stay',
  'no-time': 'it waits for no time: its knob is 0',
} as const

export type IdleReason = keyof typeof IDLE_REASONS

export type RuleOutcome = { readonly decisions: readonly PruneDecision[]; readonly idle: IdleReason | null }

/** A rule of pruning: looks at a context, changes nothing, and says what it would let go and why. */
export type PruneRule = (context: PruneContext) => RuleOutcome

/**
 * Tokens that a decision frees: its part of the message, by characters, never rounded up. Below 0 where a placeholder is
 * longer than what it stands for.
 */
export function freedTokens(message: PruneMessage, { charsBefore, charsAfter }: PruneDecision): number {
  if (message.chars === 0) return 0
  return Math.floor((message.tokens * (charsBefore - charsAfter)) / message.chars)
}

/** The decision to clear a result; null where the placeholder would take no less. */
export function clearResult(context: PruneContext, at: number, reason: PruneReason): PruneDecision | null {
  const chars = context.messages[at]?.chars ?? 0
  const charsAfter = weighedChars(context.policy.pruning.placeholder)
  return charsAfter < chars
    ? { at, call: null, action: 'clear', reason, charsBefore: chars, charsAfter }
    : null
}

/** The decision to clear the arguments of a call; null where none of them is long. */
export function clearArguments(
  context: PruneContext,
  { at, index }: { readonly at: number; readonly index: number },
  reason: PruneReason,
): PruneDecision | null {
  const call = context.messages[at]?.calls[index]
  if (call === undefined || call.clearedChars >= call.chars) return null
  return {
    at,
    call: index,
    action: 'clear',
    reason,
    charsBefore: call.chars,
    charsAfter: call.clearedChars,
  }
}
