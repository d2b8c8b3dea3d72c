import type { DraftEntry } from './draft'
import type { Mending } from './mend'
import { entryBefore, keptAncestor } from './mend-parents'

/** Puts right what names an entry otherwise than as its parent: jumps of the leaf, and what compactions keep. */
export function mendReferences(mending: Mending, byId: ReadonlyMap<string, DraftEntry>): void {
  let isNumbered = false
  for (const entry of mending.draft) {
    if (entry.type === 'leaf') {
      // Jumps are rare. Those that go leave gaps between the numbers, but not another order.
      if (!isNumbered) mending.draft.number()
      isNumbered = true
      mendLeaf(mending, byId, entry)
    } else if (entry.firstKeptEntryId !== undefined) mendFirstKept(mending, byId, entry)
  }
}

function mendLeaf({ draft, report }: Mending, byId: ReadonlyMap<string, DraftEntry>, leaf: DraftEntry): void {
  const { targetId } = leaf
  if (targetId == null) return
  const target = byId.get(targetId)
  if (target !== undefined && target.seq < leaf.seq) return
  const ancestor = keptAncestor(draft.gone, byId, targetId)
  if (ancestor !== undefined) {
    retarget(leaf, ancestor)
    draft.revision++
    return
  }
  report('dangling-leaf', leaf, 'dropped: runtimes pass over it')
  draft.remove(leaf)
  // What attached itself to the jump goes on from where the conversation was.
  if (leaf.id !== null) draft.gone.set(leaf.id, entryBefore(leaf)?.id ?? null)
}

/** Lets a jump lead to another entry. */
export function retarget(leaf: DraftEntry, targetId: string | null): void {
  leaf.more.targetId = targetId
  leaf.edit({ set: ['targetId'], value: JSON.stringify(targetId) })
}

function mendFirstKept(
  { draft, report }: Mending,
  byId: ReadonlyMap<string, DraftEntry>,
  boundary: DraftEntry,
): void {
  const named = boundary.firstKeptEntryId
  if (named === undefined || byId.has(named)) return
  const next = draft.successors.get(named)
  const ancestor = next !== undefined && byId.has(next) ? next : keptAncestor(draft.gone, byId, named)
  const isKnown = ancestor !== undefined && ancestor !== null
  // An entry that keeps itself keeps nothing, which is what runtimes make of a name that they do not know.
  const kept = isKnown ? ancestor : boundary.id
  if (kept === null) return
  boundary.more.firstKeptEntryId = kept
  boundary.edit({ set: ['firstKeptEntryId'], value: JSON.stringify(kept) })
  if (isKnown) draft.revision++
  else report('dangling-first-kept', boundary, 'names itself, so that it keeps nothing in so many words')
}
