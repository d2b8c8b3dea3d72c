import type { DraftEntry } from './draft'
import type { Mending } from './mend'

/**
 * Lets every entry follow one that is there: what followed a line that is gone goes on from that line's nearest kept
 * ancestor; an unknown parent is taken to be the entry before; circles are cut open where they begin.
 */
export function mendParents(mending: Mending, byId: ReadonlyMap<string, DraftEntry>): void {
  const { draft, report } = mending
  let isPlain = true
  /** The entry that a runtime would have gone on from: see `entryBefore`. */
  let previous: DraftEntry | null = null
  for (const entry of draft) {
    if (isOutside(entry)) continue
    const parent = entry.parentId === null ? null : byId.get(entry.parentId)
    if (parent === undefined || entry.parentless) followSomebody(mending, byId, entry, previous)
    else if (parent !== null && parent.line >= entry.line) isPlain = false
    if (isOfConversation(entry)) previous = entry
  }
  // Parents that are before their children form no circles.
  if (isPlain) return
  const circles = new Circles(draft.number(), byId)
  for (const entry of circles.first) {
    const parent = circles.lastBefore(entry)
    circles.cut(entry, parent)
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
  previous: DraftEntry | null,
): void {
  const named = entry.parentId
  if (named === null) {
    // Nothing is before the first entry; that it names no parent is what it means.
    if (previous === null) return
    entry.setParent(previous.id)
    report('broken-parent', entry, `follows line ${previous.line}, the entry before it`)
    return
  }
  draft.followed.set(entry, named)
  const ancestor = keptAncestor(draft.gone, byId, named)
  if (ancestor !== undefined) {
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

/**
 * The nearest ancestor of a dropped entry that is still there; null: the beginning; undefined: it was not dropped. What
 * was found is noted for all that were passed on the way, so that a long line of dropped ones is walked once.
 */
export function keptAncestor(
  gone: Map<string, string | null>,
  byId: ReadonlyMap<string, DraftEntry>,
  id: string,
): string | null | undefined {
  if (!gone.has(id) || byId.has(id)) return undefined
  const seen = new Set<string>()
  let at: string | null = id
  while (at !== null && !byId.has(at) && !seen.has(at)) {
    const next: string | null | undefined = gone.get(at)
    if (next === undefined) break
    seen.add(at)
    at = next
  }
  for (const passed of seen) if (passed !== at) gone.set(passed, at)
  return at === null || byId.has(at) ? at : undefined
}

/** The entry that a runtime would have gone on from: the one before, other than those beside the conversation. */
export function entryBefore(entry: DraftEntry): DraftEntry | null {
  for (let at = entry.before; at !== null; at = at.before) if (isOfConversation(at)) return at
  return null
}

function isOfConversation(entry: DraftEntry): boolean {
  return !isOutside(entry) && entry.side !== true && entry.type !== 'leaf'
}

/** Parents that lead back to where they began. Every entry leads to one circle at most, or to none. */
class Circles {
  /** Of each circle the entry that comes first. */
  readonly first: readonly DraftEntry[]
  /** For each entry the circle that it leads to, from 1; 0: none. */
  private readonly circleOf: Int32Array
  /** For each circle, once it is cut, where its entries lead then; itself before. */
  private readonly leadsTo: number[] = [0]

  /** @param entries numbered */
  constructor(entries: readonly DraftEntry[], byId: ReadonlyMap<string, DraftEntry>) {
    const first: DraftEntry[] = []
    this.circleOf = new Int32Array(entries.length)
    const done = new Uint8Array(entries.length)
    for (const start of entries) {
      const path: DraftEntry[] = []
      let at: DraftEntry | null = start
      while (at !== null && done[at.seq] === 0) {
        done[at.seq] = ON_PATH
        path.push(at)
        at = parentOf(at, byId)
      }
      let circle = at === null ? 0 : (this.circleOf[at.seq] ?? 0)
      if (at !== null && done[at.seq] === ON_PATH) {
        const members = path.slice(path.indexOf(at))
        first.push(members.reduce((one, other) => (other.seq < one.seq ? other : one)))
        circle = this.leadsTo.push(this.leadsTo.length) - 1
      }
      for (const { seq } of path) {
        done[seq] = WALKED
        this.circleOf[seq] = circle
      }
    }
    this.first = first
  }

  /** The nearest entry before this one, which is in a circle, that does not follow from it. */
  lastBefore(entry: DraftEntry): DraftEntry | null {
    const circle = this.reached(entry)
    for (let at = entryBefore(entry); at !== null; at = entryBefore(at)) {
      if (this.reached(at) !== circle) return at
    }
    return null
  }

  /** Notes that an entry of a circle follows another, outside of it, from now on. */
  cut(entry: DraftEntry, parent: DraftEntry | null): void {
    this.leadsTo[this.reached(entry)] = parent === null ? 0 : this.reached(parent)
  }

  private reached({ seq }: DraftEntry): number {
    let circle = this.circleOf[seq] ?? 0
    while (circle !== this.leadsTo[circle]) {
      const next = this.leadsTo[circle] ?? 0
      this.leadsTo[circle] = this.leadsTo[next] ?? 0
      circle = this.leadsTo[circle] ?? 0
    }
    return circle
  }
}

const ON_PATH = 1
const WALKED = 2

function parentOf(entry: DraftEntry, byId: ReadonlyMap<string, DraftEntry>): DraftEntry | null {
  return entry.parentId === null ? null : (byId.get(entry.parentId) ?? null)
}
