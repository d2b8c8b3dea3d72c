import type { PruneContext } from './prune-context'
import { clearResult, type PruneDecision } from './prune-decision'

/** A result that can be cleared, and what that frees. Tokens. */
export type Clearing = { readonly decision: PruneDecision; readonly freed: number }

/**
 * The oldest tool results that must go so that so many tokens are freed (J6): as many as are needed and no more. null
 * when even all of them are not enough; then nothing is to be cleared (A15). What a rule protects is not among them.
 * @param freedBy tokens that are really freed, as whoever carries it out measures them
 */
export function makeRoom(
  context: PruneContext,
  tokens: number,
  freedBy: (decision: PruneDecision) => number,
): Clearing[] | null {
  const clearings: Clearing[] = []
  let lacking = tokens
  for (let at = 0; at < context.messages.length && lacking > 0; at++) {
    if (context.messages[at]?.role !== 'toolResult' || context.resultGuard[at] !== null) continue
    const decision = clearResult(context, at, 'room', 'room')
    const freed = decision === null ? 0 : freedBy(decision)
    if (decision === null || freed <= 0) continue
    clearings.push({ decision, freed })
    lacking -= freed
  }
  return lacking > 0 ? null : clearings
}
