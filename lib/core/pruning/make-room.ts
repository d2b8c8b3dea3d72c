import type { Tokens } from '../units/units'
import type { PruneContext } from './prune-context'
import { clearResult, type PruneDecision } from './prune-decision'

/** A result that can be cleared, and what that frees. Tokens. */
export type Clearing = { readonly decision: PruneDecision; readonly freed: number }

/**
 * The oldest tool results that must go so that so many tokens are freed: as many as are needed and no more. null
 * when even all of them are not enough; then nothing is to be cleared. What a rule protects is not among them.
 * @param freedBy tokens that are really freed, as measured when it is applied
 */
export function makeRoom(
  context: PruneContext,
  tokens: Tokens,
  freedBy: (decision: PruneDecision) => number,
): Clearing[] | null {
  const clearings: Clearing[] = []
  let lacking = tokens
  for (let at = 0; at < context.messages.length && lacking > 0; at++) {
    if (context.messages[at]?.role !== 'toolResult' || context.resultGuard[at] !== null) continue
    const decision = clearResult(context, at, 'room', 'room')
    if (decision === null) continue
    const freed = freedBy(decision)
    if (freed <= 0) continue
    clearings.push({ decision, freed })
    lacking -= freed
  }
  return lacking > 0 ? null : clearings
}
