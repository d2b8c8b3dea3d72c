import type { Tokens } from '../units/units'
import { argumentGuard, type PruneContext, type PruneProtection } from './prune-context'
import type { PruneDecision } from './prune-decision'
import type { PrunePlan } from './prune-plan'

/**
 * What becomes of one text that rules could ask for: a result, or the long arguments of a call. Kept ones say what
 * protects them; null where no rule asks for them.
 */
export type TextDecision = {
  readonly at: number
  readonly call: number | null
  readonly tool: string
  /** Tokens that the text holds, estimated as the message's are. */
  readonly tokens: Tokens
} & (
  | { readonly action: 'trim' | 'clear'; readonly decision: PruneDecision }
  | { readonly action: 'keep'; readonly keptBy: PruneProtection | null }
)

/** One for each result and for each call with long arguments, in the order of the context. */
export function textDecisions(
  context: PruneContext,
  { decisions }: Pick<PrunePlan, 'decisions'>,
): TextDecision[] {
  const decided = new Map(decisions.map((decision) => [keyOf(decision), decision]))
  const listed: TextDecision[] = []
  const add = (
    at: number,
    call: number | null,
    tool: string,
    chars: number,
    keptBy: PruneProtection | null,
  ) => {
    const message = context.messages[at]
    const share = message === undefined || message.chars === 0 ? 0 : chars / message.chars
    const base = { at, call, tool, tokens: Math.round((message?.tokens ?? 0) * share) }
    const decision = decided.get(keyOf(base))
    if (decision === undefined) listed.push({ ...base, action: 'keep', keptBy })
    else listed.push({ ...base, action: decision.action, decision })
  }
  const paired = new Set<number>()
  for (const pair of context.pairs) {
    const { at, index, call, result } = pair
    if (call.clearedChars < call.chars) add(at, index, call.name, call.chars, argumentGuard(context, pair))
    if (result === null) continue
    paired.add(result)
    const message = context.messages[result]
    if (message !== undefined)
      add(result, null, message.toolName || call.name, message.chars, context.resultGuard[result] ?? null)
  }
  for (const [at, message] of context.messages.entries())
    if (message.role === 'toolResult' && !paired.has(at))
      add(at, null, message.toolName, message.chars, context.resultGuard[at] ?? null)
  // Those of one message are in the order of its calls already.
  return listed.sort((a, b) => a.at - b.at)
}

function keyOf({ at, call }: { readonly at: number; readonly call: number | null }): string {
  return `${at} ${call}`
}
