import { Branches, ROOT } from '../transcript/branches'
import type { Draft, DraftEntry } from './draft'
import { keptAncestor } from './mend-parents'

/**
 * For boundaries that keep from an entry on which is gone: what of their own branch comes nearest to it. That is what
 * followed it there (the last of them, where none but a guess put the others before it), else what it followed itself.
 * For those that name an id which several entries had: the last of the renamed ones on their branch. Boundaries of
 * which nothing is known are left out.
 *
 * One walk through the whole tree finds it for all: one to the beginning for each would take the square of their number.
 */
export function nearestKept(
  draft: Draft,
  byId: ReadonlyMap<string, DraftEntry>,
  boundaries: ReadonlySet<DraftEntry>,
): ReadonlyMap<DraftEntry, DraftEntry> {
  const nearest = new Map<DraftEntry, DraftEntry>()
  /** What followed an entry that is gone, or had the same id, of what is between the beginning and the place of the walk. */
  const known = new Map<string, DraftEntry[]>()
  const path = new Set<DraftEntry>()
  walkTree(draft, (entry) => {
    const names = [draft.followed.get(entry), draft.renamed.get(entry)].filter((name) => name !== undefined)
    path.add(entry)
    for (const name of names) listAt(known, name).push(entry)
    if (boundaries.has(entry)) {
      const kept = known.get(entry.firstKeptEntryId ?? '')?.at(-1) ?? ancestorOn(path, entry)
      if (kept !== undefined) nearest.set(entry, kept)
    }
    return () => {
      path.delete(entry)
      for (const name of names) listAt(known, name).pop()
    }
  })
  return nearest

  function ancestorOn(
    path: ReadonlySet<DraftEntry>,
    { firstKeptEntryId }: DraftEntry,
  ): DraftEntry | undefined {
    const id = keptAncestor(draft.gone, byId, firstKeptEntryId ?? '')
    const ancestor = byId.get(id ?? '')
    return ancestor !== undefined && path.has(ancestor) ? ancestor : undefined
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
