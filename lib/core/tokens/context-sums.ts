import type { EntryFact } from '../transcript/entry'
import { type Calibration, factorFor, perMessage } from './calibration'
import { type CategoryTokens, ENTRY_CATEGORIES, type EntryCategory, type EntryUnits } from './category'

/**
 * What a context holds, added up, in a form that a calibration can turn into tokens at any time. Lists are in the
 * order of ENTRY_CATEGORIES. Immutable plain JSON: every entry of a transcript can keep the sums up to itself.
 */
export type ContextSums = {
  /** Estimator units of content whose tokens nobody reported. */
  readonly units: readonly number[]
  /** Tokens of content that a provider reported: the outputs of earlier calls. */
  readonly known: readonly number[]
  readonly messages: number
  readonly images: number
}

const NOTHING = ENTRY_CATEGORIES.map(() => 0)

export const EMPTY_SUMS: ContextSums = { units: NOTHING, known: NOTHING, messages: 0, images: 0 }

/** What one entry brings along, by category. */
export type EntryShare = { readonly units: EntryUnits; readonly known: EntryUnits }

/**
 * Splits an entry into what was reported and what must be estimated. The reported output of a call is the exact size
 * of its answer; it is divided among text, thinking and tool calls in proportion to their units.
 */
export function shareOf(fact: EntryFact): EntryShare {
  const units = fact.units ?? {}
  const output = fact.role === 'assistant' ? (fact.usage?.output ?? 0) : 0
  if (output <= 0) return { units, known: {} }
  let sum = 0
  for (const category of ENTRY_CATEGORIES) sum += units[category] ?? 0
  if (sum === 0) return { units: {}, known: { assistant: output } }
  const known: { [C in EntryCategory]?: number } = {}
  for (const category of ENTRY_CATEGORIES) {
    const part = units[category]
    if (part !== undefined) known[category] = (output * part) / sum
  }
  return { units: {}, known }
}

/** The sums with one more message. */
export function addToSums(sums: ContextSums, fact: EntryFact): ContextSums {
  const share = shareOf(fact)
  return {
    units: plus(sums.units, share.units),
    known: plus(sums.known, share.known),
    messages: sums.messages + 1,
    images: sums.images + (fact.images ?? 0),
  }
}

const PLACES = Object.fromEntries(ENTRY_CATEGORIES.map((category, i) => [category, i])) as {
  readonly [C in EntryCategory]: number
}

/** A list with amounts added. Done for every entry of every transcript: only what there is, is touched. */
function plus(list: readonly number[], amounts: EntryUnits): readonly number[] {
  let sum: number[] | null = null
  for (const category in amounts) {
    const amount = amounts[category as EntryCategory]
    if (amount === undefined) continue
    sum ??= list.slice()
    const place = PLACES[category as EntryCategory]
    sum[place] = (sum[place] ?? 0) + amount
  }
  return sum ?? list
}

/** What sums come to in tokens, by category and all together. */
export type SumsTokens = { readonly tokens: CategoryTokens; readonly total: number }

// The same sums are asked for several times at every call: for its total, its split and what stands beside it.
let lastSums: ContextSums = EMPTY_SUMS
let lastCalibration: Calibration | null = null
let lastTokens: SumsTokens = { tokens: {}, total: 0 }

/** Tokens by category of what the sums hold, and of all together. */
export function sumsToTokens(sums: ContextSums, calibration: Calibration): SumsTokens {
  if (sums === lastSums && calibration === lastCalibration) return lastTokens
  lastTokens = toTokens(sums, factorsOf(calibration))
  lastSums = sums
  lastCalibration = calibration
  return lastTokens
}

/** Factors in the order of ENTRY_CATEGORIES, and what a message costs beside its content. */
type Factors = { readonly byPlace: readonly number[]; readonly perMessage: number }

const factors = new WeakMap<Calibration, Factors>()

function factorsOf(calibration: Calibration): Factors {
  const known = factors.get(calibration)
  if (known !== undefined) return known
  const fresh = {
    byPlace: ENTRY_CATEGORIES.map((category) => factorFor(calibration, category)),
    perMessage: perMessage(calibration),
  }
  factors.set(calibration, fresh)
  return fresh
}

function toTokens(sums: ContextSums, { byPlace, perMessage }: Factors): SumsTokens {
  const amounts = byPlace.map((factor, i) => tokensOf(i, sums.units[i] ?? 0, sums.known[i] ?? 0, factor))
  let total = 0
  for (const amount of amounts) total += amount
  if (total <= 0) return { tokens: {}, total: 0 }
  // What messages cost beside their content is spread over the categories in proportion.
  const scale = Math.max(0, total + sums.messages * perMessage) / total
  const tokens: { [C in EntryCategory]?: number } = {}
  for (let i = 0; i < amounts.length; i++) {
    const category = ENTRY_CATEGORIES[i]
    const amount = amounts[i] ?? 0
    if (category !== undefined && amount > 0) tokens[category] = amount * scale
  }
  return { tokens, total: total * scale }
}

/**
 * Tokens of one category: reported tokens as they are, units by their factor. Thinking that the calibration found
 * not to be sent again (factor 0) takes no room even where its size was reported.
 */
export function entryTokens(
  category: EntryCategory,
  units: number,
  known: number,
  calibration: Calibration,
): number {
  return tokensOf(PLACES[category], units, known, factorFor(calibration, category))
}

function tokensOf(place: number, units: number, known: number, factor: number): number {
  return units * factor + (place === PLACES.thinking && factor === 0 ? 0 : known)
}

/** Units that came between two states of one growing context, by category. */
export function unitsBetween(earlier: ContextSums, later: ContextSums): EntryUnits {
  const units: { [C in EntryCategory]?: number } = {}
  for (let i = 0; i < ENTRY_CATEGORIES.length; i++) {
    const category = ENTRY_CATEGORIES[i]
    const grown = (later.units[i] ?? 0) - (earlier.units[i] ?? 0)
    if (category !== undefined && grown > 0) units[category] = grown
  }
  return units
}
