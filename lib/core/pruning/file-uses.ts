import type { CallPair } from './call-pairs'
import type { PruneMessage, PruneTouch } from './prune-message'

/** Something that was done to a file and went well, and by which of the calls, by their place in order. */
export type FileUse = { readonly touch: PruneTouch; readonly pair: number }

/** What was done to each file, in order. Calls that failed or have no result yet have done nothing. */
export function fileUses(
  messages: readonly PruneMessage[],
  pairs: readonly CallPair[],
): ReadonlyMap<string, readonly FileUse[]> {
  const uses = new Map<string, FileUse[]>()
  for (const [place, { call, result }] of pairs.entries()) {
    if (result === null || messages[result]?.failed !== false) continue
    for (const touch of call.touches) {
      const known = uses.get(touch.path)
      if (known === undefined) uses.set(touch.path, [{ touch, pair: place }])
      else known.push({ touch, pair: place })
    }
  }
  return uses
}
