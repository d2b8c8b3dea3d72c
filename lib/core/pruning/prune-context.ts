import { verbatimStart } from '../compaction/rolling'
import type { Policy } from '../policy/policy'
import { PLAN_TOOLS } from '../summary/digest-prose'
import type { Milliseconds, Tokens } from '../units/units'
import type { CallPair } from './call-pairs'
import { type ChunkProtection, PROTECTIONS } from './protections'
import type { PruneIndex } from './prune-index'
import type { PruneMessage } from './prune-message'
import { weighedChars } from './pruner-chars'
import { toolMatcher } from './tool-patterns'

/** Why something stays whatever the rules say. */
export const PRUNE_PROTECTIONS = {
  important: PROTECTIONS.important,
  turns: PROTECTIONS.turns,
  messages: PROTECTIONS.messages,
  recent: PROTECTIONS.recent,
  kind: PROTECTIONS.kind,
  tool: 'of a tool of which nothing is pruned',
} as const satisfies { readonly [P in ChunkProtection]?: string } & { readonly tool: string }

export type PruneProtection = keyof typeof PRUNE_PROTECTIONS

export type PrunePolicy = Pick<Policy, 'pruning' | 'history' | 'budget'>

/** What rules of pruning look at: a context, and what of it must stay. Messages are named by their places. */
export type PruneContext = PruneIndex & {
  readonly policy: PrunePolicy
  /** Tokens. */
  readonly window: Tokens
  /** Milliseconds since the epoch. */
  readonly now: Milliseconds
  /** When the provider's cache was last known to be warm; null when that is not known. */
  readonly lastTouchAt: Milliseconds | null
  /** Why the text of a result stays, by its place; null: it may go. */
  readonly resultGuard: readonly (PruneProtection | null)[]
  /** The same of the arguments of calls of the message at a place, except for what their tools say. */
  readonly callGuard: (at: number) => PruneProtection | null
  readonly keepsTool: (tool: string) => boolean
  readonly placeholderChars: number
  /** Characters of the messages as they are now: rules that were applied before have made some of them shorter. */
  readonly chars: Float64Array
  /** 1: a rule that was applied before has cleared the result at this place. */
  readonly cleared: Uint8Array
}

/** Where protection begins in a context, and what time it is. */
export type GuardBounds = {
  /** Places from which on messages are among the newest turns, and among the newest messages. */
  readonly turnsFrom: number
  readonly newestFrom: number
  /** Milliseconds since the epoch. */
  readonly now: Milliseconds
}

/** The bounds of a context of so many messages. */
export function guardBounds(
  { pruning, history, budget }: PrunePolicy,
  length: number,
  isUser: (place: number) => boolean,
  now: Milliseconds,
): GuardBounds {
  return {
    turnsFrom: budget.enabled ? verbatimStart(length, isUser, history.recentTurns) : length,
    newestFrom: length - pruning.keepLastMessages,
    now,
  }
}

/** Why a message stays for its mark, its place or its age; null: it may go. @param younger than this is too young */
export function placeGuard(
  { turnsFrom, newestFrom, now }: GuardBounds,
  message: Pick<PruneMessage, 'important' | 'at'>,
  place: number,
  younger: Milliseconds,
): PruneProtection | null {
  if (message.important) return 'important'
  if (place >= turnsFrom) return 'turns'
  if (place >= newestFrom) return 'messages'
  return message.at !== null && now - message.at < younger ? 'recent' : null
}

/** Why results of a tool stay; null: they may go. */
export function toolGuards({
  alwaysKeep,
  keepTools,
}: PrunePolicy['pruning']): (tool: string) => PruneProtection | null {
  const keepsTool = toolMatcher(keepTools)
  const keepsPlans = alwaysKeep.includes('plan')
  const known = new Map<string, PruneProtection | null>()
  return (tool) => {
    const before = known.get(tool)
    if (before !== undefined) return before
    const found = keepsPlans && isPlanTool(tool) ? 'kind' : keepsTool(tool) ? 'tool' : null
    known.set(tool, found)
    return found
  }
}

/**
 * A context as rules look at it. What any rule protects is protected: the newest messages, young
 * ones, kinds that are always kept, what is marked, tools that the policy names, and the newest turns where
 * the policy divides the window. Summaries and what users say are no tool results, so no rule asks for them.
 */
export function pruneContext(
  index: PruneIndex,
  { policy, window, now, lastTouchAt }: Pick<PruneContext, 'policy' | 'window' | 'now' | 'lastTouchAt'>,
): PruneContext {
  const { messages, tools } = index
  const { pruning } = policy
  const bounds = guardBounds(policy, messages.length, (at) => messages[at]?.role === 'user', now)
  const keepsErrors = pruning.alwaysKeep.includes('error')
  const toolGuard = toolGuards(pruning)
  const resultGuard = messages.map((message, at): PruneProtection | null => {
    if (message.role !== 'toolResult') return null
    if (message.failed && keepsErrors) return 'kind'
    // For tool results the shorter time replaces the general one.
    return toolGuard(tools[at] ?? '') ?? placeGuard(bounds, message, at, pruning.toolResultsAfterMs)
  })
  const callGuard = (at: number) => {
    const message = messages[at]
    return message === undefined ? null : placeGuard(bounds, message, at, pruning.keepRecentMs)
  }
  return {
    ...index,
    policy,
    window,
    now,
    lastTouchAt,
    resultGuard,
    callGuard,
    keepsTool: toolMatcher(pruning.keepTools),
    placeholderChars: weighedChars(pruning.placeholder),
    chars: index.size,
    cleared: new Uint8Array(messages.length),
  }
}

/** Why the arguments of a call stay; null: they may go. */
export function argumentGuard(
  { callGuard, keepsTool, policy }: PruneContext,
  { at, call }: CallPair,
): PruneProtection | null {
  if (policy.pruning.alwaysKeep.includes('plan') && isPlanTool(call.name)) return 'kind'
  return keepsTool(call.name) ? 'tool' : callGuard(at)
}

function isPlanTool(tool: string): boolean {
  return PLAN_TOOLS.test(tool)
}
