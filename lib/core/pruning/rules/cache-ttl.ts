import type { Policy } from '../../policy/policy'
import type { PruneContext } from '../prune-context'
import { decide, type IdleReason, type PruneDecision, type PruneRule } from '../prune-decision'
import { toolMatcher } from '../tool-patterns'
import { trimmedChars } from '../trimmed-text'

type Knobs = Policy['pruning']['cacheTtl']

/** OpenClaw takes four characters for a token here. */
const CHARS_PER_TOKEN = 4

const TRIM = { call: null, action: 'trim', rule: 'cache-ttl', reason: 'long' } as const
const CLEAR = { call: null, action: 'clear', rule: 'cache-ttl', reason: 'full' } as const

/**
 * OpenClaw's pruning of tool results once the provider's cache has gone cold (lib/docs/openclaw.md#pruning): from a
 * first fill on long ones are trimmed, from a second one on the oldest are cleared until the fill is below it. Nothing
 * before the first message of the user is touched, and nothing behind the newest few answers. Decides as 2026.7.1 does,
 * also where a placeholder is longer than what it replaces.
 */
export const pruneByCacheTtl: PruneRule = (context) => {
  const knobs = context.policy.pruning.cacheTtl
  const wait = waiting(context)
  if (wait !== null) return idle(wait)
  const end = answersFrom(context, knobs.keepLastAssistants)
  if (end === null) return idle('few-answers')
  let chars = 0
  for (const size of context.chars) chars += size
  const prunable = prunableResults(context, end)
  const places = byFill(knobs, {
    window: context.window,
    chars,
    prunable,
    sizeOf: (at) => context.chars[at] ?? 0,
    trimmed: (at) => {
      const message = context.messages[at]
      return message === undefined ? null : trimmedChars(message, knobs)
    },
    isCleared: (at) => context.cleared[at] === 1,
    placeholderChars: context.placeholderChars,
  })
  if (places === null) return idle('below-trim')
  const { placeholder } = context.policy.pruning
  const decisions: PruneDecision[] = []
  for (const { at, action, charsAfter } of places) {
    const message = context.messages[at]
    if (message === undefined) continue
    const isClear = message.images === 0 && message.parts.length === 1 && message.parts[0] === placeholder
    if (action === 'clear' && isClear) continue
    decisions.push(decide(context, at, action === 'clear' ? CLEAR : TRIM, message.chars, charsAfter))
  }
  return { decisions, idle: null }
}

/** A context as pruning by fill looks at it, whatever holds it. Characters as the pruner weighs them. */
export type FilledContext = {
  /** Tokens. */
  readonly window: number
  readonly chars: number
  /** Places of the results that may be pruned, oldest first. */
  readonly prunable: readonly number[]
  readonly sizeOf: (at: number) => number
  /** What a soft trim leaves; null: nothing to trim. */
  readonly trimmed: (at: number) => number | null
  readonly isCleared: (at: number) => boolean
  readonly placeholderChars: number
}

type FillDecision = { readonly at: number; readonly action: 'trim' | 'clear'; readonly charsAfter: number }

/** What pruning by fill does to results, in their order; null: the context is below its first fill. */
export function byFill(
  knobs: Knobs,
  { window, prunable, sizeOf, trimmed, isCleared, placeholderChars, ...given }: FilledContext,
): readonly FillDecision[] | null {
  const full = window * CHARS_PER_TOKEN
  let { chars } = given
  if (full <= 0 || chars / full < knobs.softTrimRatio) return null
  const decided = new Map<number, FillDecision>()
  for (const at of prunable) {
    const charsAfter = isCleared(at) ? null : trimmed(at)
    if (charsAfter === null) continue
    chars += charsAfter - sizeOf(at)
    decided.set(at, { at, action: 'trim', charsAfter })
  }
  const sizeNow = (at: number) => decided.get(at)?.charsAfter ?? sizeOf(at)
  const clears =
    knobs.hardClear &&
    chars / full >= knobs.hardClearRatio &&
    prunable.reduce((sum, at) => sum + sizeNow(at), 0) >= knobs.minPrunableChars
  if (clears)
    for (const at of prunable) {
      if (chars / full < knobs.hardClearRatio) break
      if (isCleared(at)) continue
      chars += placeholderChars - sizeNow(at)
      decided.set(at, { at, action: 'clear', charsAfter: placeholderChars })
    }
  return prunable.flatMap((at) => decided.get(at) ?? [])
}

function idle(why: IdleReason) {
  return { decisions: [], idle: why }
}

/** Why it is too early; null when the cache has gone cold. */
function waiting({ policy, lastTouchAt, now }: PruneContext): IdleReason | null {
  const { ttlMs } = policy.pruning.cacheTtl
  if (ttlMs <= 0) return 'no-time'
  if (lastTouchAt === null || lastTouchAt === 0) return 'cache-unknown'
  return now - lastTouchAt < ttlMs ? 'cache-warm' : null
}

/** Where the newest so many answers begin; null where there are not so many, and the end for none. */
function answersFrom({ messages }: PruneContext, count: number): number | null {
  if (count <= 0) return messages.length
  let left = count
  for (let at = messages.length - 1; at >= 0; at--) {
    if (messages[at]?.role !== 'assistant') continue
    left -= 1
    if (left === 0) return at
  }
  return null
}

function prunableResults({ messages, policy, resultGuard }: PruneContext, end: number): number[] {
  const { allow, deny } = policy.pruning.cacheTtl
  const allowed = toolMatcher(allow)
  const denied = toolMatcher(deny)
  const allowsAll = allow.every((pattern) => pattern.trim() === '')
  const firstUser = messages.findIndex(({ role }) => role === 'user')
  const places: number[] = []
  for (let at = firstUser < 0 ? end : firstUser; at < end; at++) {
    const message = messages[at]
    if (message?.role !== 'toolResult' || resultGuard[at] !== null || denied(message.toolName)) continue
    if (allowsAll || allowed(message.toolName)) places.push(at)
  }
  return places
}
