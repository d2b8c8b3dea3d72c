import { CATEGORIES, type Category } from '../../core/tokens/category'
import type { Tokens } from '../../core/units/units'
import type { ContextTable } from './context-table'

/** Tiles of one category for the treemap; `merged` says how many smaller items the last one represents. */
export type ContextGroup = {
  readonly category: Category
  readonly items: readonly {
    readonly seq: number | null
    readonly tokens: Tokens
    readonly merged?: number
  }[]
}

/** How many items of one category get their own tile. */
const TILES_PER_CATEGORY = 64

/**
 * The items by category, largest first, the small ones merged; categories in stacking order. One pass over the items.
 */
export function groupItems(table: ContextTable, perCategory = TILES_PER_CATEGORY): ContextGroup[] {
  const tallies = new Map(CATEGORIES.map((category) => [category, new Tally(perCategory)]))
  for (let order = 0; order < table.length; order++) {
    table.eachPart(order, (category, tokens) => tallies.get(category)?.add(order, tokens))
  }
  return [...tallies].flatMap(([category, tally]) => {
    if (tally.count === 0) return []
    const single = tally.largest(tally.count > perCategory ? perCategory - 1 : perCategory)
    const tiles = single.map(({ order, tokens }) => ({ seq: table.seq(order), tokens }))
    const merged = tally.count - single.length
    if (merged === 0) return [{ category, items: tiles }]
    const tokens = tally.tokens - tiles.reduce((sum, tile) => sum + tile.tokens, 0)
    return [{ category, items: [...tiles, { seq: null, tokens, merged }] }]
  })
}

/** Places of the entries that hold the most, largest first. */
export function heaviestItems(table: ContextTable, count: number): number[] {
  const tally = new Tally(count)
  for (let order = 0; order < table.length; order++) {
    if (table.isEntry(order)) tally.add(order, table.tokens(order))
  }
  return tally.largest(count).map(({ order }) => order)
}

type Amount = { readonly order: number; readonly tokens: Tokens }

/** Counts amounts and remembers the largest few; among equals, those that came first. */
class Tally {
  count = 0
  tokens = 0
  readonly #kept: Amount[] = []
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  add(order: number, tokens: Tokens): void {
    if (tokens <= 0) return
    this.count += 1
    this.tokens += tokens
    const kept = this.#kept
    if (kept.length >= this.#limit && tokens <= (kept.at(-1)?.tokens ?? 0)) return
    let at = kept.length
    while (at > 0 && (kept[at - 1]?.tokens ?? 0) < tokens) at -= 1
    kept.splice(at, 0, { order, tokens })
    if (kept.length > this.#limit) kept.pop()
  }

  /** At most as many as are remembered. */
  largest(count: number): readonly Amount[] {
    return this.#kept.slice(0, count)
  }
}
