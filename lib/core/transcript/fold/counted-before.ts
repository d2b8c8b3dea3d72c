import { entersContext, isAnswer } from '../context'
import type { EntryFact } from '../entry'

/** Requests and results of a transcript that were counted, which it may hold once more under other ids. */
export class CountedBefore {
  private readonly requests = new Set<string>()
  private readonly results = new Set<string>()

  note(fact: EntryFact): void {
    if (fact.resultFor !== undefined) this.results.add(fact.resultFor)
    if (fact.requestId !== undefined && isAnswer(fact)) this.requests.add(fact.requestId)
  }

  /**
   * Whether an entry that goes back, or has the id of an earlier one, was counted already. A record of the last response
   * that follows or replaces one of its records adds to that.
   * @param isOpen it is of the last response
   */
  isCopy(given: EntryFact, earlier: EntryFact | null, parent: EntryFact | null, isOpen: boolean): boolean {
    if (earlier !== null && !isAnswer(given)) return entersContext(given)
    if (!this.has(given)) return false
    const before = earlier ?? parent
    return !isOpen || before?.requestId !== given.requestId || before?.copied === true
  }

  private has(fact: EntryFact): boolean {
    if (fact.resultFor !== undefined) return this.results.has(fact.resultFor)
    return fact.requestId !== undefined && isAnswer(fact) && this.requests.has(fact.requestId)
  }
}

/** The entry as a copy: the first record of its response there, or a next one. */
export function asCopy(fact: EntryFact, parent: EntryFact | null): EntryFact {
  const isNext = fact.requestId !== undefined && parent?.requestId === fact.requestId
  return { ...fact, copied: true, ...(isNext && { again: true as const }) }
}

/** Whether an entry is of those that may be a copy of what was counted. */
export function mayBeCopy(fact: EntryFact): boolean {
  return fact.resultFor !== undefined || (fact.requestId !== undefined && isAnswer(fact))
}

/**
 * Whether an entry takes the place of an earlier one with its id, as the client lets the later one count: it says
 * something else, and is not below itself.
 */
export function supersedes(later: EntryFact, earlier: EntryFact): boolean {
  return later.parentId !== later.id && !saysSame(later, earlier)
}

/** Places, times and parents aside: a session that is resumed may write those anew. */
function saysSame(a: EntryFact, b: EntryFact): boolean {
  return (
    a.type === b.type &&
    a.role === b.role &&
    a.customType === b.customType &&
    a.requestId === b.requestId &&
    a.resultFor === b.resultFor &&
    a.preview === b.preview &&
    JSON.stringify([a.units, a.calls]) === JSON.stringify([b.units, b.calls])
  )
}
