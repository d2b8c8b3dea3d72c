import type { FileUse } from '../file-uses'
import type { PruneContext } from '../prune-context'
import { clearResult, type PruneDecision, type PruneReason, type PruneRule } from '../prune-decision'

/**
 * What was read of a file goes once all of it, or the same lines, were read again, or the file was written anew or
 * removed. An edit leaves what was read mostly true, so it lets nothing go.
 */
export const pruneSupersededReads: PruneRule = (context) => {
  const decisions: PruneDecision[] = []
  for (const uses of context.files.values()) decideOn(uses, context, decisions)
  return { decisions, idle: null }
}

/** From the newest use back: what comes later is known when a reading is examined. */
function decideOn(uses: readonly FileUse[], context: PruneContext, decisions: PruneDecision[]): void {
  const readLater = new Set<string>()
  let reason: PruneReason | null = null
  for (const { touch, pair } of uses.toReversed()) {
    const { how, range } = touch
    if (how === 'edit') continue
    if (how !== 'read') {
      reason = 'written-anew'
      continue
    }
    const again = reason ?? (readLater.has('') || readLater.has(range) ? 'read-again' : null)
    readLater.add(range)
    const decision = again === null ? null : clearReading(context, pair, again)
    if (decision !== null) decisions.push(decision)
  }
}

function clearReading(context: PruneContext, place: number, reason: PruneReason): PruneDecision | null {
  const pair = context.pairs[place]
  if (pair?.result == null || context.resultGuard[pair.result] !== null) return null
  // A call that read several files is not done with because one of them is.
  return pair.call.touches.length > 1 ? null : clearResult(context, pair.result, 'superseded-reads', reason)
}
