import type { PruneContext } from '../prune-context'
import { decide, type IdleReason, type PruneDecision, type PruneRule } from '../prune-decision'
import { toolMatcher } from '../tool-patterns'
import { trimmedChars } from '../trimmed-text'

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
  const full = context.window * CHARS_PER_TOKEN
  let chars = 0
  for (const size of context.chars) chars += size
  if (full <= 0 || chars / full < knobs.softTrimRatio) return idle('below-trim')
  const decided = new Array<PruneDecision | undefined>(context.messages.length)
  const prunable = prunableResults(context, end)
  for (const at of prunable) {
    const message = context.messages[at]
    if (message === undefined || context.cleared[at] === 1) continue
    const charsAfter = trimmedChars(message, knobs)
    if (charsAfter === null) continue
    chars += charsAfter - message.chars
    decided[at] = decide(context, at, TRIM, message.chars, charsAfter)
  }
  const sizeOf = (at: number) => decided[at]?.charsAfter ?? context.chars[at] ?? 0
  const clears =
    knobs.hardClear &&
    chars / full >= knobs.hardClearRatio &&
    prunable.reduce((sum, at) => sum + sizeOf(at), 0) >= knobs.minPrunableChars
  if (clears) {
    const { placeholder } = context.policy.pruning
    const charsAfter = context.placeholderChars
    for (const at of prunable) {
      if (chars / full < knobs.hardClearRatio) break
      const message = context.messages[at]
      if (message === undefined || context.cleared[at] === 1) continue
      chars += charsAfter - sizeOf(at)
      const isClear = message.images === 0 && message.parts.length === 1 && message.parts[0] === placeholder
      decided[at] = isClear ? undefined : decide(context, at, CLEAR, message.chars, charsAfter)
    }
  }
  const decisions: PruneDecision[] = []
  for (const at of prunable) {
    const decision = decided[at]
    if (decision !== undefined) decisions.push(decision)
  }
  return { decisions, idle: null }
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
