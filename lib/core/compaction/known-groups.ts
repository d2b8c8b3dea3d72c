import type { Category, CategoryTokens } from '../tokens/category'
import type { EntryTokens } from '../tokens/frame-entries'
import type { Tokens } from '../units/units'
import type { ChunkAction, PlanChunk, PlanRule } from './plan'

/** A chunk of a context, and what the last plan made of it. */
export type KnownGroup = {
  readonly entryIds: readonly string[]
  readonly seqs: readonly number[]
  readonly tokens: Tokens
  readonly byCategory: CategoryTokens
  chunk: PlanChunk | null
}

/** What of a context no knob changes. */
type KnownContext = { readonly groups: readonly KnownGroup[]; readonly byCategory: CategoryTokens }

/** Plans of one context are made again and again, with other knobs. */
const known = new WeakMap<readonly EntryTokens[], KnownContext>()

/** Puts calls and their results together, once for each context. Contexts are never changed in place. */
export function knownContext(context: readonly EntryTokens[]): KnownContext {
  const before = known.get(context)
  if (before !== undefined) return before
  const groups: KnownGroup[] = []
  for (let at = 0; at < context.length; ) {
    const end = groupEnd(context, at)
    const first = context[at] as EntryTokens
    groups.push(end === at + 1 ? groupOfOne(first) : groupOf(context.slice(at, end)))
    at = end
  }
  const fresh = { groups, byCategory: addCategories(groups.map(({ byCategory }) => byCategory)) }
  known.set(context, fresh)
  return fresh
}

/** A group with what becomes of it; the same object as in the plan before when that is the same. */
export function chunkOf(group: KnownGroup, action: ChunkAction, rule: PlanRule): PlanChunk {
  const before = group.chunk
  if (before !== null && before.action === action && before.rule === rule) return before
  const { entryIds, seqs, tokens, byCategory } = group
  group.chunk = { entryIds, seqs, action, rule, tokens, byCategory }
  return group.chunk
}

export function addCategories(parts: Iterable<CategoryTokens>): CategoryTokens {
  const sums: { [C in Category]?: number } = {}
  // Most parts hold one category or two: walking over what is there is far quicker than asking for all.
  for (const part of parts)
    for (const name in part) {
      const category = name as Category
      const tokens = part[category] ?? 0
      if (tokens !== 0) sums[category] = (sums[category] ?? 0) + tokens
    }
  return sums
}

function groupOfOne({ entry, tokens, byCategory }: EntryTokens): KnownGroup {
  const { id, seq } = entry.fact
  return { entryIds: id === null ? [] : [id], seqs: [seq], tokens, byCategory, chunk: null }
}

function groupOf(entries: readonly EntryTokens[]): KnownGroup {
  const entryIds: string[] = []
  const seqs: number[] = []
  let tokens = 0
  for (const { entry, tokens: own } of entries) {
    const { id, seq } = entry.fact
    if (id !== null) entryIds.push(id)
    seqs.push(seq)
    tokens += own
  }
  const byCategory = addCategories(entries.map((one) => one.byCategory))
  return { entryIds, seqs, tokens, byCategory, chunk: null }
}

/** Where a group ends: an assistant's message with the results right behind it are one, every other entry alone. */
function groupEnd(context: readonly EntryTokens[], at: number): number {
  const calls = context[at]?.entry.fact.calls
  if (calls === undefined) return at + 1
  let end = at + 1
  for (; end < context.length; end++) {
    const answers = context[end]?.entry.fact.resultFor
    if (answers === undefined || !calls.some(({ id }) => id === answers)) break
  }
  return end
}
