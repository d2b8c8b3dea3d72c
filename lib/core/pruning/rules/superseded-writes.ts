import { type FileUse, fileUses } from '../file-uses'
import { argumentGuard } from '../prune-context'
import { clearArguments, type PruneReason, type PruneRule } from '../prune-decision'

/**
 * What was written to a file stands in the arguments of the call. It goes once the file was read whole, written anew or
 * removed, for then the context holds what became of it. A call that changed several files keeps its arguments until
 * that is so for each of them.
 */
export const pruneSupersededWrites: PruneRule = (context) => {
  const { pairs } = context
  const done = new Map<number, { files: number; reason: PruneReason }>()
  for (const uses of fileUses(context).values())
    for (const { pair, reason } of supersededWrites(uses))
      done.set(pair, { files: (done.get(pair)?.files ?? 0) + 1, reason })
  const decisions = [...done].flatMap(([at, { files, reason }]) => {
    const pair = pairs[at]
    if (pair === undefined || files < pair.call.touches.length) return []
    return argumentGuard(context, pair) === null ? (clearArguments(context, pair, reason) ?? []) : []
  })
  return { decisions, idle: null }
}

function supersededWrites(
  uses: readonly FileUse[],
): { readonly pair: number; readonly reason: PruneReason }[] {
  const found: { pair: number; reason: PruneReason }[] = []
  let reason: PruneReason | null = null
  for (let i = uses.length - 1; i >= 0; i--) {
    const use = uses[i]
    if (use === undefined) continue
    if (use.how === 'read') {
      if (use.range === '') reason = 'read-since'
      continue
    }
    if (reason !== null && use.how !== 'delete') found.push({ pair: use.pair, reason })
    if (use.how !== 'edit') reason = 'written-anew'
  }
  return found
}
