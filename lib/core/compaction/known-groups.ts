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

/** Plans of one context are made again and again, with other knobs. */
const knownGroups = new WeakMap<readonly EntryTokens[], readonly KnownGroup[]>()
const knownSums = new WeakMap<readonly EntryTokens[], CategoryTokens>()

/** Puts calls and their results together, once for each context. Contexts are never changed in place. */
export function pairedGroups(context: readonly EntryTokens[]): readonly KnownGroup[] {
  const before = knownGroups.get(context)
  if (before !== undefined) return before
  const groups: KnownGroup[] = []
  for (let at = 0; at < context.length; ) {
    const end = groupEndOf(context, at)
    const first = context[at] as EntryTokens
    groups.push(end === at + 1 ? groupOfOne(first) : groupOf(context.slice(at, end)))
    at = end
  }
  knownGroups.set(context, groups)
  return groups
}

/** Tokens of a whole context by category, summed up once. */
export function categoriesOf(context: readonly EntryTokens[]): CategoryTokens {
  const before = knownSums.get(context)
  if (before !== undefined) return before
  const sums: CategorySums = {}
  for (let at = 0; at < context.length; at++) addEntry(sums, context[at] as EntryTokens)
  knownSums.set(context, sums)
  return sums
}

/** A group with what becomes of it; the same object as in the plan before when that is the same. */
export function chunkOf(group: KnownGroup, action: ChunkAction, rule: PlanRule): PlanChunk {
  const before = group.chunk
  if (before !== null && before.action === action && before.rule === rule) return before
  const { entryIds, seqs, tokens, byCategory } = group
  group.chunk = { entryIds, seqs, action, rule, tokens, byCategory }
  return group.chunk
}

/** Tokens by category while they are summed up. */
export type CategorySums = { [C in Category]?: number }

export function addCategories(parts: Iterable<CategoryTokens>): CategoryTokens {
  const sums: CategorySums = {}
  for (const part of parts) addTo(sums, part)
  return sums
}

export function addTo(sums: CategorySums, part: CategoryTokens): void {
  // Most parts hold one category or two: walking over what is there is far quicker than asking for all.
  for (const name in part) {
    const category = name as Category
    const tokens = part[category] ?? 0
    if (tokens !== 0) sums[category] = (sums[category] ?? 0) + tokens
  }
}

/** The same for what an entry holds. */
export function addEntry(sums: CategorySums, entry: EntryTokens): void {
  if (entry.isOfOne !== true) addTo(sums, entry.byCategory)
  else if (entry.tokens !== 0) sums[entry.category] = (sums[entry.category] ?? 0) + entry.tokens
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
export function groupEndOf(context: readonly EntryTokens[], at: number): number {
  const { calls } = (context[at] as EntryTokens).entry.fact
  if (calls === undefined) return at + 1
  let end = at + 1
  for (; end < context.length; end++) {
    const { resultFor } = (context[end] as EntryTokens).entry.fact
    if (!calls.some(({ id }) => id === resultFor)) break
  }
  return end
}
