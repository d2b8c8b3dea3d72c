import { Branches, ROOT } from '../transcript/branches'
import type { Draft, DraftEntry } from './draft'
import { keptAncestor } from './mend-parents'

/**
 * What of their own branch boundaries keep from, whose name for it leads elsewhere. Where the entry is gone, that is what
 * followed it on this branch (the last one, as a guess put the others before it), else what it followed itself. Where
 * several entries had the id, it is the last of those that got a new one. Boundaries of which nothing is known are left
 * out.
 *
 * One walk through the tree finds it for all: one to the beginning for each would take the square of their number.
 *
 * @param boundaries with the id that each names
 */
export function nearestKept(
  draft: Draft,
  byId: ReadonlyMap<string, DraftEntry>,
  boundaries: ReadonlyMap<DraftEntry, string>,
): ReadonlyMap<DraftEntry, DraftEntry> {
  const nearest = new Map<DraftEntry, DraftEntry>()
  /** What is between the beginning and the place of the walk, by id. */
  const path = new Map<string | null | undefined, DraftEntry>()
  /** What of it followed an entry that is gone, or had its id. */
  const known = new Map<string, DraftEntry[]>()
  walkTree(draft, (entry) => {
    const names = [draft.followed.get(entry), draft.renamed.get(entry)].filter((name) => name !== undefined)
    for (const name of names) listAt(known, name).push(entry)
    path.set(entry.id, entry)
    const named = boundaries.get(entry)
    const kept = named === undefined ? undefined : (known.get(named)?.at(-1) ?? ancestor(named))
    if (kept !== undefined) nearest.set(entry, kept)
    return () => {
      path.delete(entry.id)
      for (const name of names) listAt(known, name).pop()
    }
  })
  return nearest

  function ancestor(named: string): DraftEntry | undefined {
    const id = keptAncestor(draft.gone, byId, named)
    if (id !== null) return path.get(id)
    // The beginning went: all that is left was kept, where it was of this branch.
    const [beginning] = path.values()
    return beginning !== undefined && draft.followed.has(beginning) ? beginning : undefined
  }
}

/** Comes to each entry behind its parent, as runtimes see the tree, and leaves it when it has been to its children. */
function walkTree(draft: Draft, enter: (entry: DraftEntry) => () => void): void {
  const entries = draft.number()
  const branches = Branches.of(entries)
  const children = new Map<number, DraftEntry[]>()
  for (const entry of entries) listAt(children, branches.parentOf(entry.seq)).push(entry)
  const steps: (() => void)[] = []
  const comeTo = (seq: number) => {
    for (const entry of children.get(seq) ?? [])
      steps.push(() => {
        steps.push(enter(entry))
        comeTo(entry.seq)
      })
  }
  comeTo(ROOT)
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) step()
}

function listAt<K, V>(lists: Map<K, V[]>, key: K): V[] {
  const list = lists.get(key) ?? []
  if (list.length === 0) lists.set(key, list)
  return list
}
