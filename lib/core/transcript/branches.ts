import type { EntryFact } from './entry'

/** More records than any response has. */
const MOST_RECORDS = 512

/** No entry: the place before everything. */
export const ROOT = -1

/**
 * The tree of a transcript: who is whose parent, and where the leaf is. Entries are added in file order and known
 * by their sequence number.
 *
 * Rules: pi's, as its session manager reads files (parents are looked up by id when a path is walked, the last entry
 * with an id wins, a missing parent ends the path). OpenClaw's additions take effect once a transcript shows that a
 * newer OpenClaw wrote it — header version 4, a `leaf` or a `reset` entry: a missing parent is the current leaf, and
 * what follows a reset cannot attach to history before it (lib/docs/openclaw.md#context).
 */
export class Branches {
  readonly facts: EntryFact[] = []
  /** Sequence number of the current leaf, or ROOT. */
  leaf = ROOT
  /** Whether a provider has compacted on its own side: the route of a call then decides what it is sent. */
  hasCheckpoints = false
  private version = 3
  private heals = false
  /** See `EntryFact.header.joins`. */
  private joins = false
  private lastReset = ROOT
  private previous = ROOT
  private readonly byId = new Map<string, number>()
  /** Parents that are not simply "the entry with the parent's id". */
  private readonly decided = new Map<number, number>()
  /** Parents as they were when their children came: right for good as long as the transcript is `plain`. */
  private readonly parents: number[] = []
  /** Ids of parents that were not there when their children came. */
  private readonly missing = new Set<string>()
  /** Parents were not there that nothing is looked up by: the current leaf took their place. */
  private hasReplacedParents = false
  private plainSoFar = true
  /** Sequence numbers of the readable entries: version 1 names entries by their place among these. */
  private readonly readable: number[] = []

  static of(facts: Iterable<EntryFact>): Branches {
    const branches = new Branches()
    for (const fact of facts) branches.add(fact)
    return branches
  }

  add(fact: EntryFact): void {
    this.facts[fact.seq] = fact
    if (fact.checkpoint !== undefined) this.hasCheckpoints = true
    if (fact.type === 'unreadable') {
      // What could not be read may still say where it is, so that what follows it keeps its parent.
      if (fact.id !== null) this.append(fact)
      return
    }
    this.readable.push(fact.seq)
    if (fact.type === 'session') this.takeHeader(fact)
    else if (fact.type === 'leaf') this.moveLeaf(fact)
    else this.append(fact)
  }

  /**
   * Whether every id so far is one entry's alone and no child came before its parent, as in nearly all transcripts.
   * Parents then are before their children and never change: there are no rings, and paths need no look-ups.
   */
  get plain(): boolean {
    return this.plainSoFar
  }

  /**
   * Whether an entry names a parent that is not there, or was not when the entry came; also where the rules give it
   * another parent instead.
   */
  get hasMissingParents(): boolean {
    return this.missing.size > 0 || this.hasReplacedParents
  }

  /** Sequence number of the parent, or ROOT when there is none or it is missing. */
  parentOf(seq: number): number {
    if (this.plainSoFar) return this.parents[seq] ?? ROOT
    return this.lookUpParent(seq)
  }

  private lookUpParent(seq: number): number {
    const decided = this.decided.get(seq)
    if (decided !== undefined) return decided
    const parentId = this.facts[seq]?.parentId
    return parentId == null ? ROOT : (this.byId.get(parentId) ?? ROOT)
  }

  /** The entry with this id that was added last; null: there is none. */
  withId(id: string): EntryFact | null {
    return this.facts[this.byId.get(id) ?? ROOT] ?? null
  }

  /** Sequence numbers from the root to `seq`; empty for ROOT and when the parents form a ring. */
  path(seq: number): number[] {
    const path: number[] = []
    if (this.plainSoFar) {
      for (let at = seq; at !== ROOT; at = this.parents[at] ?? ROOT) path.push(at)
      return path.reverse()
    }
    const seen = new Set<number>()
    for (let at = seq; at !== ROOT; at = this.parentOf(at)) {
      if (seen.has(at)) return []
      seen.add(at)
      path.push(at)
    }
    return path.reverse()
  }

  /** Where the part that a compaction or reset keeps begins, as an index into `path`; -1 when nothing is kept. */
  firstKept(path: readonly number[], boundary: number): number {
    const fact = this.facts[path[boundary] ?? ROOT]
    if (fact === undefined) return -1
    if (fact.firstKeptIndex !== undefined && this.version < 2) {
      // The header is on no path.
      const index = path.indexOf(this.readable[fact.firstKeptIndex] ?? ROOT)
      return index < boundary ? index : -1
    }
    const id = fact.firstKeptEntryId
    if (id === undefined) return -1
    for (let i = 0; i < boundary; i++) if (this.facts[path[i] ?? ROOT]?.id === id) return i
    return -1
  }

  /**
   * The entry that a boundary names as the first one kept, wherever it is; ROOT when it names none that is known.
   */
  namedByBoundary(fact: EntryFact): number {
    if (fact.firstKeptIndex !== undefined && this.version < 2)
      return this.readable[fact.firstKeptIndex] ?? ROOT
    return fact.firstKeptEntryId === undefined ? ROOT : (this.byId.get(fact.firstKeptEntryId) ?? ROOT)
  }

  private append(fact: EntryFact): void {
    if (fact.type === 'reset') this.heals = true
    const parent = this.decideParent(fact)
    if (parent !== undefined) this.decided.set(fact.seq, parent)
    this.keepParent(fact)
    if (fact.id !== null) this.register(fact.id, fact.seq)
    if (fact.type === 'reset') this.lastReset = fact.seq
    if (fact.side) return
    this.leaf = fact.seq
    this.previous = fact.seq
  }

  private keepParent({ seq, parentId }: EntryFact): void {
    this.parents[seq] = this.lookUpParent(seq)
    if (parentId === null || this.byId.has(parentId)) return
    if (this.decided.has(seq)) this.hasReplacedParents = true
    else this.missing.add(parentId)
  }

  private register(id: string, seq: number): void {
    if (this.byId.has(id) || this.missing.has(id)) this.plainSoFar = false
    this.byId.set(id, seq)
  }

  private takeHeader(fact: EntryFact): void {
    if (this.readable.length > 1) return
    this.version = fact.header?.version ?? 1
    if (this.version >= 4) this.heals = true
    if (fact.header?.joins) this.joins = true
  }

  private moveLeaf(fact: EntryFact): void {
    this.heals = true
    this.keepParent(fact)
    const target = fact.targetId == null ? ROOT : this.byId.get(fact.targetId)
    // A move to an unknown entry is no move.
    if (target === undefined) return
    if (fact.id !== null) this.register(fact.id, target)
    this.leaf = target
    this.previous = target
  }

  private decideParent(fact: EntryFact): number | undefined {
    if (this.version < 2) return this.previous
    if (this.joins) return this.joined(fact)
    if (!this.heals) return undefined
    const named = fact.parentId === null ? ROOT : this.byId.get(fact.parentId)
    if (named === undefined) return this.leaf
    if (this.lastReset !== ROOT && !this.descends(named, this.lastReset)) return this.leaf
    return named
  }

  /**
   * Claude Code writes a response as one line for each block, and each result under the line of its call: with calls
   * made at once those are siblings, though one prompt holds them all. They are put in a row.
   */
  private joined({ parentId, requestId, resultFor }: EntryFact): number | undefined {
    if (parentId === null || (resultFor === undefined && requestId === undefined)) return undefined
    const named = this.byId.get(parentId) ?? ROOT
    if (named === this.leaf) return undefined
    const response = this.facts[named]?.requestId
    if (response === undefined) return undefined
    let at = this.leaf
    for (let steps = 0; at !== named && steps < MOST_RECORDS; steps++) {
      const fact = this.facts[at]
      const belongs = fact?.resultFor !== undefined || fact?.requestId === response
      if (!belongs || (requestId !== undefined && requestId !== response)) return undefined
      at = this.parentOf(at)
    }
    return at === named ? this.leaf : undefined
  }

  private descends(seq: number, ancestor: number): boolean {
    const seen = new Set<number>()
    for (let at = seq; at !== ROOT && !seen.has(at); at = this.parentOf(at)) {
      if (at === ancestor) return true
      seen.add(at)
    }
    return false
  }
}
