import { type Category, type CategoryTokens, FIXED_CATEGORIES } from '../../core/tokens/category'
import type { ContextRun, RunPrefix } from '../../core/tokens/context-run'
import type { EntryShares } from '../../core/tokens/entry-weights'
import type { Tokens } from '../../core/units/units'
import type { ContextChoice, ContextItem } from './context-rows'

/**
 * Everything in the window of a call, in order: the fixed part, the entries, and the residual last. Columns, from which
 * an item is made when it is shown: 50,000 of them are about 1 MB.
 */
export class ContextTable {
  readonly length: number
  readonly #run: ContextRun
  readonly #prefix: RunPrefix
  readonly #categories: CategoryTokens
  readonly #shares: EntryShares
  /** What is before the entries, and after them. */
  readonly #fixed: readonly Category[]
  readonly #last: readonly Category[]

  /** @param categories what the call's frame gives to each */
  constructor(run: ContextRun, prefix: RunPrefix, categories: CategoryTokens) {
    this.#run = run
    this.#prefix = prefix
    this.#categories = categories
    this.#shares = run.weights.divide(prefix.count, categories)
    const { held } = this.#shares
    this.#fixed = FIXED_CATEGORIES.filter(
      (category) => (categories[category] ?? 0) > 0 && !held.has(category),
    )
    this.#last = (categories.residual ?? 0) > 0 ? ['residual'] : []
    this.length = this.#fixed.length + prefix.count + this.#last.length
  }

  /** Number of the entry at a place of the window; negative for what is not in the transcript. */
  #entryAt(order: number): number {
    const i = order - this.#fixed.length
    return i < this.#prefix.count ? i : -1
  }

  #besideAt(order: number): Category {
    return this.#fixed[order] ?? this.#last[0] ?? 'residual'
  }

  /** Whether an entry of the transcript is there. */
  isEntry(order: number): boolean {
    return this.#entryAt(order) >= 0
  }

  /** The category of most of its tokens. */
  category(order: number): Category {
    const i = this.#entryAt(order)
    return i < 0 ? this.#besideAt(order) : this.#shares.category(i)
  }

  /** Tokens as a list filtered by `category` counts them; null: all. */
  tokens(order: number, category: Category | null = null): number {
    const i = this.#entryAt(order)
    if (i < 0) {
      const beside = this.#besideAt(order)
      return category === null || category === beside ? (this.#categories[beside] ?? 0) : 0
    }
    if (category === null) return this.#shares.tokens[i] ?? 0
    return this.#shares.tokensOf(i, category)
  }

  /** The categories of which it holds tokens. */
  eachPart(order: number, visit: (category: Category, tokens: Tokens) => void): void {
    const i = this.#entryAt(order)
    if (i >= 0) this.#shares.eachPart(i, visit)
    else visit(this.#besideAt(order), this.tokens(order))
  }

  /** Sequence number of the entry; null for what is not in the transcript. */
  seq(order: number): number | null {
    return this.#run.items[this.#entryAt(order)]?.seq ?? null
  }

  /** Sequence number of the entry whose checkpoint replaces all before it; null when there is none. */
  replayedSeq(): number | null {
    const [first] = this.#run.items
    return first?.replayed && this.#prefix.count > 0 ? first.seq : null
  }

  sent(order: number): boolean {
    return (this.#run.items[this.#entryAt(order)]?.why ?? null) === null
  }

  /** Turns that began after it; null for what is not in the transcript. */
  age(order: number): number | null {
    const item = this.#run.items[this.#entryAt(order)]
    return item === undefined ? null : this.#prefix.turns - item.turns
  }

  itemAt(order: number): ContextItem {
    const i = this.#entryAt(order)
    const item = this.#run.items[i]
    const category = this.category(order)
    const tokens = this.tokens(order)
    return {
      order,
      category,
      tokens,
      parts: i < 0 ? { [category]: tokens } : this.#shares.byCategory(i),
      seq: item?.seq ?? null,
      sent: this.sent(order),
      why: item?.why ?? null,
      age: this.age(order),
      ...(item?.replayed && { replayed: true }),
    }
  }
}

/** The places of a list as chosen, and what is said of the whole list. Tokens of the chosen category, or all. */
export type ChosenItems = {
  readonly orders: Int32Array
  readonly tokens: Tokens
  readonly largest: number
  readonly unsent: number
}

/**
 * The items of a list as chosen. Filtered by a category, those that hold any of it, and those of it that hold nothing
 * since they were not sent. Equal ones stay in the order of the window; what has no age comes last.
 */
export function chooseItems(table: ContextTable, choice: ContextChoice): ChosenItems {
  const { category } = choice
  const amounts = new Float64Array(table.length)
  const chosen = new Int32Array(table.length)
  let count = 0
  let tokens = 0
  let largest = 0
  let unsent = 0
  for (let order = 0; order < table.length; order++) {
    const amount = table.tokens(order, category)
    amounts[order] = amount
    const belongs =
      category === null || amount > 0 || (table.category(order) === category && table.tokens(order) === 0)
    if (!belongs) continue
    chosen[count++] = order
    tokens += amount
    largest = Math.max(largest, amount)
    if (!table.sent(order)) unsent += 1
  }
  const orders = chosen.subarray(0, count)
  sortOrders(orders, table, choice, amounts)
  return { orders, tokens, largest, unsent }
}

function sortOrders(
  orders: Int32Array,
  table: ContextTable,
  { sort, descending }: ContextChoice,
  amounts: Float64Array,
): void {
  const sign = descending ? -1 : 1
  if (sort === 'tokens') {
    orders.sort((a, b) => sign * ((amounts[a] ?? 0) - (amounts[b] ?? 0)) || a - b)
  } else if (sort === 'age') {
    const ages = Int32Array.from({ length: table.length }, (_, order) => table.age(order) ?? NO_AGE)
    orders.sort((a, b) => {
      const [first = NO_AGE, second = NO_AGE] = [ages[a], ages[b]]
      if (first === NO_AGE || second === NO_AGE)
        return Number(first === NO_AGE) - Number(second === NO_AGE) || a - b
      return sign * (first - second) || a - b
    })
  } else if (descending) orders.reverse()
}

const NO_AGE = -1
