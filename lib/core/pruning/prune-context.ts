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
  const { pruning, history, budget } = policy
  const keepsTool = toolMatcher(pruning.keepTools)
  const newestFrom = messages.length - pruning.keepLastMessages
  const turnsFrom = budget.enabled ? turnStart(messages, history.recentTurns) : messages.length
  const keepsErrors = pruning.alwaysKeep.includes('error')
  const keepsPlans = pruning.alwaysKeep.includes('plan')
  const guard = (message: PruneMessage | undefined, at: number, younger: number): PruneProtection | null => {
    if (message === undefined) return null
    if (message.important) return 'important'
    if (at >= turnsFrom) return 'turns'
    if (at >= newestFrom) return 'messages'
    if (message.at !== null && now - message.at < younger) return 'recent'
    return null
  }
  const keptTools = new Map<string, PruneProtection | null>()
  const toolGuard = (tool: string): PruneProtection | null => {
    const known = keptTools.get(tool)
    if (known !== undefined) return known
    const found = keepsPlans && isPlanTool(tool) ? 'kind' : keepsTool(tool) ? 'tool' : null
    keptTools.set(tool, found)
    return found
  }
  const resultGuard = messages.map((message, at): PruneProtection | null => {
    if (message.role !== 'toolResult') return null
    if (message.failed && keepsErrors) return 'kind'
    // For tool results the shorter time replaces the general one.
    return toolGuard(tools[at] ?? '') ?? guard(message, at, pruning.toolResultsAfterMs)
  })
  const callGuard = (at: number) => guard(messages[at], at, pruning.keepRecentMs)
  return {
    ...index,
    policy,
    window,
    now,
    lastTouchAt,
    resultGuard,
    callGuard,
    keepsTool,
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

function turnStart(messages: readonly PruneMessage[], turns: number): number {
  if (turns === 0) return messages.length
  let left = turns
  for (let at = messages.length - 1; at >= 0; at--) {
    if (messages[at]?.role !== 'user') continue
    left -= 1
    if (left === 0) return at
  }
  return 0
}

function isPlanTool(tool: string): boolean {
  return PLAN_TOOLS.test(tool)
}
