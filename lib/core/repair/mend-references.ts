import type { Draft, DraftEntry } from './draft'
import type { Mending } from './mend'
import { entryBefore, keptAncestor } from './mend-parents'
import { nearestKept } from './own-branch'

/** Puts right what names an entry otherwise than as its parent: jumps of the leaf, and what compactions keep. */
export function mendReferences(mending: Mending, byId: ReadonlyMap<string, DraftEntry>): void {
  const twice = new Set(mending.draft.renamed.values())
  const doubtful = new Map<DraftEntry, string>()
  let isNumbered = false
  for (const entry of mending.draft) {
    if (entry.type === 'leaf') {
      // Jumps are rare. Those that go leave gaps between the numbers, but not another order.
      if (!isNumbered) mending.draft.number()
      isNumbered = true
      mendLeaf(mending, byId, entry)
      continue
    }
    const named = entry.firstKeptEntryId
    if (named !== undefined && (!byId.has(named) || twice.has(named))) doubtful.set(entry, named)
  }
  // Jumps say whose branch is whose.
  if (doubtful.size > 0) mendFirstKept(mending, byId, doubtful)
}

function mendLeaf({ draft, report }: Mending, byId: ReadonlyMap<string, DraftEntry>, leaf: DraftEntry): void {
  const { targetId } = leaf
  if (targetId == null) return
  const target = byId.get(targetId)
  if (target !== undefined && target.seq < leaf.seq) return
  const ancestor = keptAncestor(draft.gone, byId, targetId)
  if (ancestor !== undefined) {
    retarget(draft, leaf, ancestor)
    draft.revision++
    return
  }
  report('dangling-leaf', leaf, 'dropped: runtimes pass over it')
  draft.remove(leaf)
  // What attached itself to the jump goes on from where the conversation was.
  if (leaf.id !== null) draft.gone.set(leaf.id, entryBefore(leaf)?.id ?? null)
}

/** Lets a jump lead to another entry. */
export function retarget({ renewed }: Draft, leaf: DraftEntry, targetId: string | null): void {
  leaf.more.targetId = targetId
  renewed.set(leaf, `leads to ${targetId ?? 'the beginning'}`)
  leaf.edit({ set: ['targetId'], value: JSON.stringify(targetId) })
}

function mendFirstKept(
  { draft, report }: Mending,
  byId: ReadonlyMap<string, DraftEntry>,
  boundaries: ReadonlyMap<DraftEntry, string>,
): void {
  const nearest = nearestKept(draft, byId, boundaries)
  for (const [boundary, named] of boundaries) {
    const found = nearest.get(boundary)
    if (found === undefined && byId.has(named)) continue
    // An entry that keeps itself keeps nothing, which is what runtimes make of a name that they do not know.
    const kept = found ?? boundary
    if (kept.id === null) continue
    boundary.more.firstKeptEntryId = kept.id
    boundary.edit({ set: ['firstKeptEntryId'], value: JSON.stringify(kept.id) })
    const words = keepsFrom(boundary, kept)
    draft.renewed.set(boundary, words)
    draft.revision++
    // That its line is damaged or cannot stay, or that its id was used twice, is found already.
    const isReported = draft.gone.has(named) || byId.has(named)
    if (found === undefined || !isReported) report('dangling-first-kept', boundary, words)
  }
}

/** What a boundary keeps from now on, in words. */
export function keepsFrom(boundary: DraftEntry, kept: DraftEntry): string {
  return kept === boundary
    ? 'names itself, so that it keeps nothing in so many words'
    : `keeps from line ${kept.line} on`
}
