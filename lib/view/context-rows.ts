import type { Category, CategoryTokens } from '../core/tokens/category'
import { CATEGORIES, FIXED_CATEGORIES } from '../core/tokens/category'
import { frameEntries } from '../core/tokens/frame-entries'
import type { ContextEntry } from '../core/transcript/context'
import type { Unsent } from '../core/transcript/send-rules'

/** One thing in the window of a call: an entry, a fixed part before the conversation, or the residual after it. */
export type ContextItem = {
  /** Place in the window, from 0. */
  readonly order: number
  /** The category of most of its tokens. */
  readonly category: Category
  /** Whole tokens; all items together are the frame. */
  readonly tokens: number
  /** What the tokens consist of. */
  readonly parts: CategoryTokens
  /** Sequence number of the entry; null for what does not stand in the transcript. */
  readonly seq: number | null
  readonly sent: boolean
  /** Why it was not sent as a message of its own. */
  readonly why: Unsent | null
  /** Turns that began after it; null for what does not stand in the transcript. */
  readonly age: number | null
}

/**
 * Everything in the window of a call, in order: the fixed part, the entries, and the residual last.
 * @param path sequence numbers from the root to the entry that the call answered, for the ages
 * @param turnStarts whether an entry begins a turn, by sequence number
 */
export function contextItems(input: {
  readonly context: readonly ContextEntry[]
  readonly categories: CategoryTokens
  readonly path: readonly number[]
  readonly turnStarts: (seq: number) => boolean
}): ContextItem[] {
  const { context, categories, path, turnStarts } = input
  const items: ContextItem[] = []
  const beside = (category: Category) => {
    const tokens = categories[category] ?? 0
    if (tokens <= 0) return
    items.push({
      order: items.length,
      category,
      tokens,
      parts: { [category]: tokens },
      seq: null,
      sent: true,
      why: null,
      age: null,
    })
  }
  for (const category of FIXED_CATEGORIES) beside(category)
  const ages = agesOf(path, turnStarts)
  for (const { entry, category, tokens, byCategory } of frameEntries(context, { categories })) {
    items.push({
      order: items.length,
      category,
      tokens,
      parts: byCategory,
      seq: entry.fact.seq,
      sent: entry.sent,
      why: entry.why ?? null,
      age: ages.get(entry.fact.seq) ?? null,
    })
  }
  beside('residual')
  return items
}

/** For each entry of the path, how many turns began after it. */
function agesOf(path: readonly number[], turnStarts: (seq: number) => boolean): Map<number, number> {
  const ages = new Map<number, number>()
  let later = 0
  for (let i = path.length - 1; i >= 0; i--) {
    const seq = path[i]
    if (seq === undefined) continue
    ages.set(seq, later)
    if (turnStarts(seq)) later += 1
  }
  return ages
}

export const CONTEXT_SORTS = ['order', 'tokens', 'age'] as const

export type ContextSort = (typeof CONTEXT_SORTS)[number]

export type ContextChoice = {
  readonly sort: ContextSort
  readonly descending: boolean
  readonly category: Category | null
}

/** Tokens of an item as a list filtered by `category` counts them. */
export function tokensOf(item: ContextItem, category: Category | null): number {
  return category === null ? item.tokens : (item.parts[category] ?? 0)
}

/**
 * The items of a list as chosen. Filtered by a category, those that hold any of it, and those of it that hold nothing
 * since they were not sent. Equal ones stay in the order of the window; what has no age comes last.
 */
export function chooseItems(items: readonly ContextItem[], choice: ContextChoice): ContextItem[] {
  const { sort, descending, category } = choice
  const chosen = items.filter(
    (item) =>
      category === null || tokensOf(item, category) > 0 || (item.category === category && item.tokens === 0),
  )
  if (sort === 'order') return descending ? chosen.reverse() : chosen
  const sign = descending ? -1 : 1
  return chosen.sort((a, b) => {
    if (sort === 'tokens') return sign * (tokensOf(a, category) - tokensOf(b, category)) || a.order - b.order
    if (a.age === null || b.age === null)
      return Number(a.age === null) - Number(b.age === null) || a.order - b.order
    return sign * (a.age - b.age) || a.order - b.order
  })
}

/** Tiles of one category for the treemap; `merged` says how many smaller items the last one stands for. */
export type ContextGroup = {
  readonly category: Category
  readonly items: readonly {
    readonly seq: number | null
    readonly tokens: number
    readonly merged?: number
  }[]
}

/** How many items of one category get a tile of their own. */
export const TILES_PER_CATEGORY = 64

/** The items by category, largest first, the small ones merged; categories in stacking order. */
export function groupItems(items: readonly ContextItem[], perCategory = TILES_PER_CATEGORY): ContextGroup[] {
  return CATEGORIES.flatMap((category) => {
    const held = items
      .filter((item) => tokensOf(item, category) > 0)
      .sort((a, b) => tokensOf(b, category) - tokensOf(a, category) || a.order - b.order)
    if (held.length === 0) return []
    const single = held.length > perCategory ? held.slice(0, perCategory - 1) : held
    const rest = held.slice(single.length)
    const tiles = single.map((item) => ({ seq: item.seq, tokens: tokensOf(item, category) }))
    if (rest.length === 0) return [{ category, items: tiles }]
    const tokens = rest.reduce((sum, item) => sum + tokensOf(item, category), 0)
    return [{ category, items: [...tiles, { seq: null, tokens, merged: rest.length }] }]
  })
}

/** The entries that hold the most, largest first. */
export function heaviestItems(items: readonly ContextItem[], count: number): ContextItem[] {
  return items
    .filter((item) => item.seq !== null && item.tokens > 0)
    .sort((a, b) => b.tokens - a.tokens || a.order - b.order)
    .slice(0, count)
}

const UNSENT_WORDS: { readonly [W in Unsent]: string } = {
  'transcript-only': 'written for the reader only',
  'silent-reply': 'a reply that says nothing',
  'failed-turn': 'of a failed or aborted turn',
  'orphaned-result': 'a result that no call asked for',
  'duplicate-result': 'a second result of the same call',
  excluded: 'kept out by the operator',
  empty: 'without content',
  'unknown-role': 'of a role that is not sent',
  merged: 'sent inside the message before it',
}

/** Why an entry is not a message of its own, in words. */
export function unsentWords(why: Unsent): string {
  return UNSENT_WORDS[why]
}
