import type { DraftEntry } from './draft'
import type { Mending } from './mend'
import { retarget } from './mend-references'
import { newId } from './new-id'

/**
 * Gives every entry its own id: copies of an entry go, others with the same id get a new one, and what is
 * behind them and named them goes along. Answers the entries by id.
 */
export function mendIds({ draft, report }: Mending): Map<string, DraftEntry> {
  const byId = new Map<string, DraftEntry>()
  const taken = idsOf(draft)
  /** New ids of entries whose own was taken, by the old one. */
  const renamed = new Map<string, string>()
  for (const entry of draft) {
    if (entry.type === 'session' || entry.type === 'unreadable') continue
    const parent = entry.parentId === null ? undefined : renamed.get(entry.parentId)
    if (parent !== undefined) entry.setParent(parent)
    const target = renamed.get(entry.targetId ?? '')
    if (target !== undefined) retarget(draft, entry, target)
    const { id } = entry
    if (id === null) {
      const fresh = newId(`${entry.line}`, taken.ids)
      entry.setId(fresh)
      report('missing-id', entry, `gets the id ${fresh}`)
      keep(entry, fresh)
      continue
    }
    const earlier = taken.twice ? byId.get(id) : undefined
    if (earlier === undefined) keep(entry, id)
    else if (isCopy(earlier, entry)) {
      report('duplicate-entry', entry, `dropped: the same entry is on line ${earlier.line}`)
      draft.remove(entry)
    } else {
      const fresh = newId(`${id}:${entry.line}`, taken.ids)
      entry.setId(fresh)
      renamed.set(id, fresh)
      draft.renamed.set(entry, id)
      report('duplicate-id', entry, `gets the id ${fresh}, as line ${earlier.line} has its own`)
      keep(entry, fresh)
    }
  }
  return byId

  function keep(entry: DraftEntry, id: string): void {
    byId.set(id, entry)
    taken.ids.add(id)
  }
}

function idsOf(draft: Mending['draft']): { readonly ids: Set<string>; readonly twice: boolean } {
  const ids = new Set<string>()
  let twice = false
  for (const { id } of draft) {
    if (id === null) continue
    if (ids.has(id)) twice = true
    ids.add(id)
  }
  return { ids, twice }
}

/** Whether the later entry says nothing that the earlier one does not: same place, kind and length. */
function isCopy(earlier: DraftEntry, later: DraftEntry): boolean {
  return (
    earlier.type === later.type &&
    earlier.role === later.role &&
    earlier.parentId === later.parentId &&
    earlier.resultFor === later.resultFor &&
    earlier.bytes === later.bytes
  )
}
