import type { Category, CategoryTokens } from '../core/tokens/category'
import { CATEGORIES, ENTRY_CATEGORIES, type EntryCategory, FIXED_CATEGORIES } from '../core/tokens/category'
import { shareOf } from '../core/tokens/context-sums'
import { roleCategory } from '../core/tokens/entry-weights'
import type { ContextEntry } from '../core/transcript/context'
import { type ContextChoice, type ContextItem, tokensOf } from '../view/session/context-rows'

/**
 * What the model saw, the plain way: one object per entry, all of them walked for every question. What the pages do
 * with columns has to come to the same.
 */

/**
 * Everything in the window of a call, in order: the fixed part, the entries, and the residual last.
 * @param path sequence numbers from the root to the entry that the call answered, for the ages
 * @param turnStarts whether an entry begins a turn, by sequence number
 */
export function plainItems(input: {
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
  for (const { entry, category, tokens, byCategory } of plainShares(context, categories)) {
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
      ...(entry.replayed && { replayed: true }),
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

/**
 * The items of a list as chosen. Filtered by a category, those that hold any of it, and those of it that hold nothing
 * since they were not sent. Equal ones stay in the order of the window; what has no age comes last.
 */
export function plainChoice(items: readonly ContextItem[], choice: ContextChoice): ContextItem[] {
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

/** Tiles by category: those with their own, largest first, and what the rest comes to. */
export function plainGroups(items: readonly ContextItem[], perCategory: number) {
  return CATEGORIES.flatMap((category) => {
    const tiles = items
      .filter((item) => tokensOf(item, category) > 0)
      .map((item) => ({ seq: item.seq, tokens: tokensOf(item, category) }))
      .sort((a, b) => b.tokens - a.tokens)
    if (tiles.length === 0) return []
    if (tiles.length <= perCategory) return [{ category, items: tiles }]
    const rest = tiles.splice(perCategory - 1)
    const tokens = rest.reduce((sum, tile) => sum + tile.tokens, 0)
    return [{ category, items: [...tiles, { seq: null, tokens, merged: rest.length }] }]
  })
}

function plainShares(context: readonly ContextEntry[], categories: CategoryTokens) {
  const weights = context.map((entry) => weightsOf(entry))
  const parts: { [C in EntryCategory]?: number }[] = context.map(() => ({}))
  for (const category of ENTRY_CATEGORIES) {
    const tokens = categories[category] ?? 0
    if (tokens > 0) divide(tokens, category, weights, parts)
  }
  return context.map((entry, i) => {
    const byCategory = parts[i] ?? {}
    let tokens = 0
    for (const category of ENTRY_CATEGORIES) tokens += byCategory[category] ?? 0
    return { entry, tokens, byCategory, category: mainCategory(entry, byCategory) }
  })
}

type Weights = { readonly [C in EntryCategory]?: number }

function weightsOf(entry: ContextEntry): Weights {
  if (!entry.sent && entry.why !== 'merged') return {}
  const share = shareOf(entry.fact)
  return Object.keys(share.known).length > 0 ? share.known : share.units
}

/** Largest-remainder division: whole tokens that add up exactly. */
function divide(
  tokens: number,
  category: EntryCategory,
  weights: readonly Weights[],
  parts: { [C in EntryCategory]?: number }[],
): void {
  let sum = 0
  for (const weight of weights) sum += weight[category] ?? 0
  if (sum <= 0) return
  let given = 0
  let carried = 0
  weights.forEach((weight, i) => {
    const part = weight[category] ?? 0
    if (part <= 0) return
    carried += (tokens * part) / sum
    const whole = Math.round(carried) - given
    given += whole
    const target = parts[i]
    if (target !== undefined && whole > 0) target[category] = whole
  })
}

function mainCategory(entry: ContextEntry, byCategory: Weights): EntryCategory {
  const units = Object.keys(byCategory).length > 0 ? byCategory : (entry.fact.units ?? {})
  let best: EntryCategory | null = null
  for (const category of ENTRY_CATEGORIES) {
    if ((units[category] ?? 0) > (best === null ? 0 : (units[best] ?? 0))) best = category
  }
  return best ?? roleCategory(entry.fact.role)
}
