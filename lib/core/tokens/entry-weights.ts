import type { ContextEntry } from '../transcript/context'
import type { EntryFact } from '../transcript/entry'
import { withNextRecord } from '../transcript/fold/open-call'
import { dropsReasoning, type Sender } from '../transcript/send-rules'
import type { Tokens } from '../units/units'
import {
  type Category,
  type CategoryTokens,
  ENTRY_CATEGORIES,
  ENTRY_PLACES,
  type EntryCategory,
  type EntryUnits,
} from './category'
import { shareOf } from './context-sums'

/** One record of a response: its number among the entries, and what it holds. */
type WeighedRecord = { readonly entry: number; readonly units: EntryUnits }

/**
 * How much each entry of a growing context counts within each category, in columns: any number of entries from the
 * first one on can be given the tokens of a call without reading the entries. Categories are known by their place in
 * ENTRY_CATEGORIES.
 */
export class EntryWeights {
  /** Where the weights of entry `i` begin; those of the next one begin where they end. */
  readonly #starts = [0]
  readonly #places: number[] = []
  readonly #weights: number[] = []
  /** The category of each entry that gets no tokens. */
  readonly #idle: number[] = []
  /** Where the weights of the turn of each entry begin; only where reasoning is sent as long as its turn lasts. */
  readonly #turns: number[] | null
  #turn = 0
  /** The response whose records were added last, and where the weights of each of them are. */
  #response: { readonly answer: EntryFact; readonly records: WeighedRecord[] } | null = null

  constructor(sender: Sender) {
    this.#turns = dropsReasoning(sender) ? [] : null
  }

  /** Entries that are not sent weigh nothing; those whose text is merged into the message before them do. */
  add({ fact, sent, why }: ContextEntry): void {
    if (fact.role === 'user') this.#turn = this.#places.length
    if (sent || why === 'merged') this.#weigh(fact)
    this.#starts.push(this.#places.length)
    this.#turns?.push(this.#turn)
    this.#idle.push(idlePlace(fact))
  }

  #weigh(fact: EntryFact): void {
    const record = { entry: this.#starts.length - 1, units: fact.units ?? {} }
    const { known, units } = shareOf(fact)
    if (fact.again && this.#response !== null) {
      this.#append(record.units)
      const { answer, records } = this.#response
      records.push(record)
      this.#response = { answer: withNextRecord(answer, fact), records }
      return
    }
    this.#append(isNothing(known) ? units : known)
    if (fact.role !== 'assistant') return
    this.#settleResponse()
    this.#response = { answer: fact, records: [record] }
  }

  #append(amounts: EntryUnits): void {
    for (let place = 0; place < ENTRY_CATEGORIES.length; place++) {
      const amount = amountAt(amounts, place)
      if (amount <= 0) continue
      this.#places.push(place)
      this.#weights.push(amount)
    }
  }

  /** What was reported of a response in several records is of all of them: each gets its part. */
  #settleResponse(): void {
    const response = this.#response
    this.#response = null
    if (response === null || response.records.length === 1) return
    const { answer, records } = response
    const { known, units } = shareOf(answer)
    const whole = isNothing(known) ? units : known
    for (const { entry, units: own } of records) {
      const stop = this.#starts[entry + 1] ?? this.#places.length
      for (let w = this.#starts[entry] ?? 0; w < stop; w++) {
        const place = this.#places[w] ?? 0
        const all = amountAt(answer.units ?? {}, place)
        this.#weights[w] = all > 0 ? (amountAt(whole, place) * amountAt(own, place)) / all : 0
      }
    }
  }

  /**
   * Divides the tokens of each category among the first `count` entries, in proportion to their weights, so that they
   * add up to the token (largest-remainder division in order). Linear, with two checks at each weight.
   */
  divide(count: number, categories: CategoryTokens): EntryShares {
    this.#settleResponse()
    const places = this.#places
    const weights = this.#weights
    const starts = this.#starts
    const end = starts[count] ?? 0
    const turn = this.#turns?.[count - 1] ?? 0
    const isGone = (w: number) => w < turn && places[w] === ENTRY_PLACES.thinking
    const sums = new Float64Array(ENTRY_CATEGORIES.length)
    for (let w = 0; w < end; w++) if (!isGone(w)) add(sums, places[w], weights[w])
    const totals = Float64Array.from(ENTRY_CATEGORIES, (category) => categories[category] ?? 0)
    const carried = new Float64Array(ENTRY_CATEGORIES.length)
    const given = new Float64Array(ENTRY_CATEGORIES.length)
    const parts = new Float64Array(end)
    const tokens = new Float64Array(count)
    const main = new Uint8Array(count)
    for (let i = 0, w = 0; i < count; i++) {
      let most = 0
      let sum = 0
      main[i] = this.#idle[i] ?? 0
      for (const stop = starts[i + 1] ?? 0; w < stop; w++) {
        const place = places[w] ?? 0
        const total = totals[place] ?? 0
        if (total <= 0 || isGone(w)) continue
        const exact = (carried[place] ?? 0) + (total * (weights[w] ?? 0)) / (sums[place] ?? 0)
        carried[place] = exact
        const whole = Math.round(exact) - (given[place] ?? 0)
        if (whole <= 0) continue
        add(given, place, whole)
        parts[w] = whole
        sum += whole
        if (whole <= most) continue
        most = whole
        main[i] = place
      }
      tokens[i] = sum
    }
    const held = new Set(ENTRY_CATEGORIES.filter((_, place) => (sums[place] ?? 0) > 0))
    return new EntryShares(tokens, main, parts, places, starts, held)
  }
}

/** What the entries of a context hold of a call's tokens. Whole tokens. */
export class EntryShares {
  readonly tokens: Float64Array
  /** Categories of which entries have a part. */
  readonly held: ReadonlySet<Category>
  readonly #main: Uint8Array
  readonly #parts: Float64Array
  readonly #places: readonly number[]
  readonly #starts: readonly number[]

  constructor(
    tokens: Float64Array,
    main: Uint8Array,
    parts: Float64Array,
    places: readonly number[],
    starts: readonly number[],
    held: ReadonlySet<Category>,
  ) {
    this.tokens = tokens
    this.held = held
    this.#main = main
    this.#parts = parts
    this.#places = places
    this.#starts = starts
  }

  /** The category that most of an entry's tokens belong to. */
  category(i: number): EntryCategory {
    return ENTRY_CATEGORIES[this.#main[i] ?? 0] ?? 'other'
  }

  byCategory(i: number): EntryUnits {
    const amounts: { [C in EntryCategory]?: number } = {}
    this.eachPart(i, (category, tokens) => {
      amounts[category] = tokens
    })
    return amounts
  }

  /** Tokens of one category that an entry holds. */
  tokensOf(i: number, category: Category): number {
    const stop = this.#starts[i + 1] ?? 0
    for (let w = this.#starts[i] ?? 0; w < stop; w++) {
      if (ENTRY_CATEGORIES[this.#places[w] ?? 0] === category) return this.#parts[w] ?? 0
    }
    return 0
  }

  /** The categories of which an entry holds tokens, in stacking order. */
  eachPart(i: number, visit: (category: EntryCategory, tokens: Tokens) => void): void {
    const stop = this.#starts[i + 1] ?? 0
    for (let w = this.#starts[i] ?? 0; w < stop; w++) {
      const tokens = this.#parts[w] ?? 0
      const category = ENTRY_CATEGORIES[this.#places[w] ?? 0]
      if (tokens > 0 && category !== undefined) visit(category, tokens)
    }
  }
}

function add(list: Float64Array, place = 0, amount = 0): void {
  list[place] = (list[place] ?? 0) + amount
}

function isNothing(amounts: EntryUnits): boolean {
  for (const _category in amounts) return false
  return true
}

function amountAt(amounts: EntryUnits, place: number): number {
  const category = ENTRY_CATEGORIES[place]
  return category === undefined ? 0 : (amounts[category] ?? 0)
}

/** Where an entry without tokens belongs: to the category of most of its units, else to that of its role. */
function idlePlace({ units = {}, role }: EntryFact): number {
  let best = -1
  for (let place = 0; place < ENTRY_CATEGORIES.length; place++) {
    if (amountAt(units, place) > (best < 0 ? 0 : amountAt(units, best))) best = place
  }
  return best < 0 ? ENTRY_CATEGORIES.indexOf(roleCategory(role)) : best
}

/** The category of an entry that holds nothing to go by. */
export function roleCategory(role: string | undefined): EntryCategory {
  switch (role) {
    case 'user':
    case 'assistant':
      return role
    case 'toolResult':
    case 'bashExecution':
      return 'tool-result'
    case 'compactionSummary':
    case 'branchSummary':
      return 'summary'
    default:
      return 'other'
  }
}
