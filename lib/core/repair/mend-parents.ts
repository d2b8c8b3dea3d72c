import type { DraftEntry } from './draft'
import type { Mending } from './mend'

/**
 * Lets every entry follow one that is there: what followed a line that is gone goes on from that line's nearest kept
 * ancestor; a parent that nobody knows is taken to be the entry before; circles are cut open where they begin.
 */
export function mendParents(mending: Mending, byId: ReadonlyMap<string, DraftEntry>): void {
  const { draft, report } = mending
  let isPlain = true
  for (const entry of draft) {
    if (isOutside(entry)) continue
    const parent = entry.parentId === null ? null : byId.get(entry.parentId)
    if (parent === undefined || entry.parentless) followSomebody(mending, byId, entry)
    else if (parent === null) continue
    else if (parent === entry || parent.line >= entry.line || parent.made !== null) isPlain = false
  }
  // Parents that stand before their children form no circles.
  if (isPlain) return
  for (const entry of firstOfCircles(draft.number(), byId)) {
    const parent = firstOutside(entry, byId)
    entry.setParent(parent?.id ?? null)
    report('cycle', entry, parent === null ? 'becomes a beginning' : `follows line ${parent.line}`)
  }
}

function isOutside(entry: DraftEntry): boolean {
  return entry.type === 'session' || entry.type === 'unreadable'
}

function followSomebody(
  { draft, report }: Mending,
  byId: ReadonlyMap<string, DraftEntry>,
  entry: DraftEntry,
): void {
  const named = entry.parentId
  const previous = entryBefore(entry)
  if (named === null) {
    // Nothing stands before the first entry; that it names no parent is what it means.
    if (previous === null) return
    entry.setParent(previous.id)
    report('broken-parent', entry, `follows line ${previous.line}, the entry before it`)
    return
  }
  const ancestor = keptAncestor(draft.gone, byId, named)
  if (ancestor !== undefined) {
    if (entry.id !== null && !draft.successors.has(named)) draft.successors.set(named, entry.id)
    entry.setParent(ancestor)
    draft.revision++
    return
  }
  entry.setParent(previous?.id ?? null)
  report(
    'broken-parent',
    entry,
    previous === null ? 'becomes the beginning' : `follows line ${previous.line}, the entry before it`,
  )
}

/** The nearest ancestor of a dropped entry that is still there; null: the beginning; undefined: it was not dropped. */
export function keptAncestor(
  gone: ReadonlyMap<string, string | null>,
  byId: ReadonlyMap<string, DraftEntry>,
  id: string,
): string | null | undefined {
  if (!gone.has(id) || byId.has(id)) return undefined
  const seen = new Set<string>()
  let at: string | null = id
  while (at !== null && !byId.has(at)) {
    const next: string | null | undefined = gone.get(at)
    if (next === undefined || seen.has(at)) return undefined
    seen.add(at)
    at = next
  }
  return at
}

/** The entry that a runtime would have gone on from: the one before, other than those beside the conversation. */
export function entryBefore(entry: DraftEntry): DraftEntry | null {
  for (let at = entry.before; at !== null; at = at.before) {
    if (!isOutside(at) && at.side !== true && at.type !== 'leaf') return at
  }
  return null
}

/** Of each circle the entry that comes first. Entries are numbered. */
function firstOfCircles(
  entries: readonly DraftEntry[],
  byId: ReadonlyMap<string, DraftEntry>,
): readonly DraftEntry[] {
  const walkOf = new Int32Array(entries.length)
  const found: DraftEntry[] = []
  entries.forEach((start, i) => {
    const walk = i + 1
    let at: DraftEntry | null = start
    while (at !== null && walkOf[at.seq] === 0) {
      walkOf[at.seq] = walk
      at = parentOf(at, byId)
    }
    if (at === null || walkOf[at.seq] !== walk) return
    let first = at
    for (let next = parentOf(at, byId); next !== null && next !== at; next = parentOf(next, byId)) {
      if (next.seq < first.seq) first = next
    }
    found.push(first)
  })
  return found
}

function parentOf(entry: DraftEntry, byId: ReadonlyMap<string, DraftEntry>): DraftEntry | null {
  return entry.parentId === null ? null : (byId.get(entry.parentId) ?? null)
}

/** The nearest entry before this one that does not follow from it. */
function firstOutside(entry: DraftEntry, byId: ReadonlyMap<string, DraftEntry>): DraftEntry | null {
  for (let at = entryBefore(entry); at !== null; at = entryBefore(at)) {
    if (!follows(at, entry, byId)) return at
  }
  return null
}

function follows(entry: DraftEntry, ancestor: DraftEntry, byId: ReadonlyMap<string, DraftEntry>): boolean {
  const seen = new Set<DraftEntry>()
  for (let at: DraftEntry | null = entry; at !== null && !seen.has(at); at = parentOf(at, byId)) {
    if (at === ancestor) return true
    seen.add(at)
  }
  return false
}
