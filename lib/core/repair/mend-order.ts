import type { DraftEntry } from './draft'
import { longestRun } from './longest-run'
import type { Mending } from './mend'

/** Puts every entry behind its parent. Two lines that changed places find back to where they were. */
export function mendOrder({ draft, report }: Mending, byId: ReadonlyMap<string, DraftEntry>): void {
  const entries = draft.number()
  const ordered = inOrder(entries, byId)
  if (ordered === null) return
  const stays = longestRun(ordered.map(({ seq }) => seq))
  const moved = ordered.filter((_, i) => !stays.has(i))
  draft.reorder(ordered)
  for (const entry of moved) {
    const { before } = entry
    report('late-parent', entry, `moved behind ${before === null ? 'the beginning' : `line ${before.line}`}`)
  }
}

/** The entries with each behind its parent, else as they are; null when they are so already. No circles. */
function inOrder(
  entries: readonly DraftEntry[],
  byId: ReadonlyMap<string, DraftEntry>,
): readonly DraftEntry[] | null {
  const done = new Uint8Array(entries.length)
  const waiting = new Map<DraftEntry, DraftEntry[]>()
  const ordered: DraftEntry[] = []
  let waited = false
  for (const entry of entries) {
    // A header follows nothing, whatever it names.
    const named = entry.type === 'session' ? null : entry.parentId
    const parent = named === null ? undefined : byId.get(named)
    if (parent !== undefined && parent !== entry && done[parent.seq] === 0) {
      const others = waiting.get(parent)
      if (others === undefined) waiting.set(parent, [entry])
      else others.push(entry)
      waited = true
      continue
    }
    const stack = [entry]
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      done[next.seq] = 1
      ordered.push(next)
      if (waited) for (const child of (waiting.get(next) ?? []).toReversed()) stack.push(child)
    }
  }
  return waited && ordered.length === entries.length ? ordered : null
}
