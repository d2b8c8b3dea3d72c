import type { CallPair } from '../call-pairs'
import type { FileUse } from '../file-uses'
import { argumentGuard } from '../prune-context'
import { clearArguments, type PruneDecision, type PruneReason, type PruneRule } from '../prune-decision'
import type { PruneTouch } from '../prune-message'

/**
 * What was written to a file is in the arguments of the call. It goes once the file was read whole, written anew or
 * removed, for then the context holds what became of it. A call that changed several files keeps its arguments until
 * that is so for each of them; of a file that it removed they hold no more than the name.
 */
export const pruneSupersededWrites: PruneRule = (context) => {
  const { pairs, files } = context
  const done = new Map<number, { files: number; reason: PruneReason }>()
  for (const uses of files.values())
    for (const { pair, reason } of supersededWrites(uses))
      done.set(pair, { files: (done.get(pair)?.files ?? 0) + 1, reason })
  const decisions: PruneDecision[] = []
  for (const [place, { files: count, reason }] of done) {
    const pair = pairs[place]
    if (pair === undefined || count < writtenBy(pair) || argumentGuard(context, pair) !== null) continue
    const decision = clearArguments(context, pair, 'superseded-writes', reason)
    if (decision !== null) decisions.push(decision)
  }
  return { decisions, idle: null }
}

/** How many times a call wrote to files. */
function writtenBy({ call }: Pick<CallPair, 'call'>): number {
  return call.touches.filter(({ how }) => isWritten(how)).length
}

function isWritten(how: PruneTouch['how']): boolean {
  return how !== 'read' && how !== 'delete'
}

function supersededWrites(
  uses: readonly FileUse[],
): { readonly pair: number; readonly reason: PruneReason }[] {
  const found: { pair: number; reason: PruneReason }[] = []
  let reason: PruneReason | null = null
  for (const { touch, pair } of uses.toReversed()) {
    const { how, range } = touch
    if (how === 'read') {
      if (range === '') reason = 'read-since'
      continue
    }
    if (reason !== null && isWritten(how)) found.push({ pair, reason })
    if (how !== 'edit') reason = 'written-anew'
  }
  return found
}
