import { type FileUse, fileUses } from '../file-uses'
import { clearResult, type PruneReason, type PruneRule } from '../prune-decision'

/**
 * What was read of a file goes once all of it, or the same lines, were read again, or the file was written anew or
 * removed. An edit leaves what was read mostly true, so it lets nothing go.
 */
export const pruneSupersededReads: PruneRule = (context) => {
  const { pairs, resultGuard } = context
  const decisions = [...fileUses(context).values()].flatMap((uses) =>
    supersededReads(uses).flatMap(({ pair, reason }) => {
      const place = pairs[pair]
      if (place?.result == null || resultGuard[place.result] !== null) return []
      // A call that read several files is not done with because one of them is.
      return place.call.touches.length > 1 ? [] : (clearResult(context, place.result, reason) ?? [])
    }),
  )
  return { decisions, idle: null }
}

/** From the newest use back: what comes later is known when a reading is looked at. */
function supersededReads(
  uses: readonly FileUse[],
): { readonly pair: number; readonly reason: PruneReason }[] {
  const found: { pair: number; reason: PruneReason }[] = []
  const readLater = new Set<string>()
  let reason: PruneReason | null = null
  for (let i = uses.length - 1; i >= 0; i--) {
    const use = uses[i]
    if (use === undefined || use.how === 'edit') continue
    if (use.how !== 'read') {
      reason = 'written-anew'
      continue
    }
    const again = reason ?? (readLater.has('') || readLater.has(use.range) ? 'read-again' : null)
    if (again !== null) found.push({ pair: use.pair, reason: again })
    readLater.add(use.range)
  }
  return found
}
