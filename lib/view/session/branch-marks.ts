import { type Branches, ROOT } from '../../core/transcript/branches'
import type { EntryFact } from '../../core/transcript/entry'

/** How the entries of a transcript hang together, by sequence number. */
export type BranchMarks = {
  /** Entries from the root to the leaf: what the session goes on from. */
  readonly active: ReadonlySet<number>
  /** Entries that do not follow the one before them in the file: a branch begins there. */
  readonly forks: ReadonlySet<number>
  /** Labels by the entry they point at. */
  readonly labels: ReadonlyMap<number, readonly string[]>
  /** Where labels, leaf moves and branch summaries lead. */
  readonly targets: ReadonlyMap<number, number>
  /** The entries that begin a turn, in the order of the file. */
  readonly turns: readonly number[]
}

const IN_NO_TREE = new Set(['session', 'leaf'])

/** Linear in the number of entries. */
export function branchMarks(branches: Branches): BranchMarks {
  const byId = new Map<string, number>()
  const forks = new Set<number>()
  const labels = new Map<number, string[]>()
  const targets = new Map<number, number>()
  const turns: number[] = []
  let previous = ROOT
  for (const fact of branches.facts) {
    if (!fact) continue
    if (fact.id !== null) byId.set(fact.id, fact.seq)
    const target = fact.targetId == null ? undefined : byId.get(fact.targetId)
    if (target !== undefined) {
      targets.set(fact.seq, target)
      if (fact.type === 'label' && fact.preview)
        labels.set(target, [...(labels.get(target) ?? []), fact.preview])
    }
    if (startsTurn(fact)) turns.push(fact.seq)
    if (IN_NO_TREE.has(fact.type) || (fact.type === 'unreadable' && fact.id === null)) continue
    const parent = branches.parentOf(fact.seq)
    if (previous !== ROOT && parent !== previous && !fact.side) forks.add(fact.seq)
    if (!fact.side) previous = fact.seq
  }
  return { active: new Set(branches.path(branches.leaf)), forks, labels, targets, turns }
}

/** Whether an entry begins a turn: a message of the user. */
export function startsTurn(fact: Pick<EntryFact, 'type' | 'role'>): boolean {
  return fact.type === 'message' && fact.role === 'user'
}
