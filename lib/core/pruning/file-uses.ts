import type { PruneContext } from './prune-context'
import type { PruneTouch } from './prune-message'

/** Something that was done to a file and went well, and by which of the calls, by their place in order. */
export type FileUse = PruneTouch & { readonly pair: number }

/** What was done to each file, in order. Calls that failed or have no result yet have done nothing. */
export function fileUses({ messages, pairs }: PruneContext): Map<string, FileUse[]> {
  const uses = new Map<string, FileUse[]>()
  for (let pair = 0; pair < pairs.length; pair++) {
    const { call, result } = pairs[pair] ?? { call: null, result: null }
    if (call === null || result === null || messages[result]?.failed !== false) continue
    for (const touch of call.touches) {
      const known = uses.get(touch.path)
      if (known === undefined) uses.set(touch.path, [{ ...touch, pair }])
      else known.push({ ...touch, pair })
    }
  }
  return uses
}
