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
    const age = ages[entry.fact.seq] ?? -1
    items.push({
      order: items.length,
      category,
      tokens,
      parts: byCategory,
      seq: entry.fact.seq,
      sent: entry.sent,
      why: entry.why ?? null,
      age: age < 0 ? null : age,
    })
  }
  beside('residual')
  return items
}

/** How many turns began after each entry of the path, by sequence number; -1 beside it. */
function agesOf(path: readonly number[], turnStarts: (seq: number) => boolean): Int32Array {
  const ages = new Int32Array(path.reduce((most, seq) => Math.max(most, seq), -1) + 1).fill(-1)
  let later = 0
  for (let i = path.length - 1; i >= 0; i--) {
    const seq = path[i] ?? 0
    ages[seq] = later
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

/** The items by category, largest first, the small ones merged; categories in stacking order. One pass over the items. */
export function groupItems(items: readonly ContextItem[], perCategory = TILES_PER_CATEGORY): ContextGroup[] {
  const tallies = new Map(CATEGORIES.map((category) => [category, new Tally(perCategory)]))
  for (const item of items) {
    for (const category in item.parts) {
      tallies.get(category as Category)?.add(item, item.parts[category as Category] ?? 0)
    }
  }
  return [...tallies].flatMap(([category, tally]) => {
    if (tally.count === 0) return []
    const single = tally.largest(tally.count > perCategory ? perCategory - 1 : perCategory)
    const tiles = single.map(({ item, tokens }) => ({ seq: item.seq, tokens }))
    const merged = tally.count - single.length
    if (merged === 0) return [{ category, items: tiles }]
    const tokens = tally.tokens - tiles.reduce((sum, tile) => sum + tile.tokens, 0)
    return [{ category, items: [...tiles, { seq: null, tokens, merged }] }]
  })
}

/** The entries that hold the most, largest first. */
export function heaviestItems(items: readonly ContextItem[], count: number): ContextItem[] {
  const tally = new Tally(count)
  for (const item of items) if (item.seq !== null) tally.add(item, item.tokens)
  return tally.largest(count).map(({ item }) => item)
}

type Amount = { readonly item: ContextItem; readonly tokens: number }

/** Counts amounts and remembers the largest few; among equals, those that came first. */
class Tally {
  count = 0
  tokens = 0
  readonly #kept: Amount[] = []
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  add(item: ContextItem, tokens: number): void {
    if (tokens <= 0) return
    this.count += 1
    this.tokens += tokens
    const kept = this.#kept
    if (kept.length >= this.#limit && tokens <= (kept.at(-1)?.tokens ?? 0)) return
    let at = kept.length
    while (at > 0 && (kept[at - 1]?.tokens ?? 0) < tokens) at -= 1
    kept.splice(at, 0, { item, tokens })
    if (kept.length > this.#limit) kept.pop()
  }

  /** At most as many as are remembered. */
  largest(count: number): readonly Amount[] {
    return this.#kept.slice(0, count)
  }
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
