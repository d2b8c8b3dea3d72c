import type { EntryFact } from '../transcript/entry'
import { type Calibration, factorFor, perMessage } from './calibration'
import { ENTRY_CATEGORIES, ENTRY_PLACES, type EntryCategory, type EntryUnits } from './category'
import { resentOutput, resentReasoning } from './usage'

/**
 * What a context holds, added up, in a form that a calibration can turn into tokens at any time. Lists are in the
 * order of ENTRY_CATEGORIES. Immutable plain JSON: every entry of a transcript can keep the sums up to itself.
 */
export type ContextSums = {
  /** Estimator units of content whose tokens were not reported. */
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
  const output = outputOf(fact)
  if (output <= 0) return { units, known: {} }
  const known: { [C in EntryCategory]?: number } = {}
  for (const [category, part] of partsOf(fact, units, output)) known[category] = part
  return { units: {}, known }
}

/** The sums with one more message. */
export function addToSums(sums: ContextSums, fact: EntryFact): ContextSums {
  const { units: ownUnits, known: ownKnown } = sums
  const output = outputOf(fact)
  // The output of a response came in as a whole with its first record.
  if (fact.again && output > 0) return sums
  return {
    units: output > 0 ? ownUnits : plus(ownUnits, fact.units ?? NO_UNITS),
    known: output > 0 ? plusReported(ownKnown, fact, output) : ownKnown,
    messages: sums.messages + 1,
    images: sums.images + (fact.images ?? 0),
  }
}

function outputOf(fact: EntryFact): number {
  return fact.role === 'assistant' ? (resentOutput(fact) ?? 0) : 0
}

/** The sums without any reasoning. */
export function sumsWithoutThinking(sums: ContextSums): ContextSums {
  const place = ENTRY_PLACES.thinking
  const less = (list: readonly number[]) => (list[place] ? list.with(place, 0) : list)
  return { ...sums, units: less(sums.units), known: less(sums.known) }
}

const NO_UNITS: EntryUnits = {}

/** A list with the reported output of an answer added, divided as in `shareOf`. */
function plusReported(list: readonly number[], fact: EntryFact, output: number): readonly number[] {
  const sum = list.slice()
  for (const [category, part] of partsOf(fact, fact.units ?? NO_UNITS, output)) {
    const place = ENTRY_PLACES[category]
    sum[place] = (sum[place] ?? 0) + part
  }
  return sum
}

/** The reported output of an answer by category: its reasoning as the provider says, the rest in proportion to units. */
function* partsOf(fact: EntryFact, units: EntryUnits, output: number): Generator<[EntryCategory, number]> {
  const { thinking = 0 } = units
  let whole = 0
  for (const category in units) whole += units[category as EntryCategory] ?? 0
  if (whole === 0) {
    yield ['assistant', output]
    return
  }
  // Nothing to give the rest to: all of it is thinking then.
  const reasoning = whole > thinking ? resentReasoning(fact) : null
  const [left, among] = reasoning === null ? [output, whole] : [output - reasoning, whole - thinking]
  for (const key in units) {
    const category = key as EntryCategory
    const part = units[category]
    if (part === undefined) continue
    if (reasoning !== null && category === 'thinking') yield [category, reasoning]
    else yield [category, (left * part) / among]
  }
}

/** A list with amounts added. Done for every entry of every transcript: only what there is, is touched. */
function plus(list: readonly number[], amounts: EntryUnits): readonly number[] {
  let sum: number[] | null = null
  for (const category in amounts) {
    const amount = amounts[category as EntryCategory]
    if (amount === undefined) continue
    sum ??= list.slice()
    const place = ENTRY_PLACES[category as EntryCategory]
    sum[place] = (sum[place] ?? 0) + amount
  }
  return sum ?? list
}

/** What sums come to in tokens: in the order of ENTRY_CATEGORIES, and all together. */
export type SumsTokens = { readonly tokens: readonly number[]; readonly total: number }

// The same sums are asked for several times at every call: for its total, its split and what is beside it.
let lastSums: ContextSums = EMPTY_SUMS
let lastCalibration: Calibration | null = null
let lastTokens: SumsTokens = { tokens: NOTHING, total: 0 }

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

// Asked for again and again with the same calibration, until the next call teaches another one.
let factorsFor: Calibration | null = null
let lastFactors: Factors = { byPlace: [], perMessage: 0 }

function factorsOf(calibration: Calibration): Factors {
  if (calibration === factorsFor) return lastFactors
  lastFactors = {
    byPlace: ENTRY_CATEGORIES.map((category) => factorFor(calibration, category)),
    perMessage: perMessage(calibration),
  }
  factorsFor = calibration
  return lastFactors
}

function toTokens(sums: ContextSums, { byPlace, perMessage }: Factors): SumsTokens {
  const tokens: number[] = []
  let total = 0
  for (let i = 0; i < byPlace.length; i++) {
    const amount = tokensOf(i, sums.units[i] ?? 0, sums.known[i] ?? 0, byPlace[i] ?? 0)
    tokens.push(amount)
    total += amount
  }
  if (total <= 0) return { tokens: NOTHING, total: 0 }
  // What messages cost beside their content is spread over the categories in proportion.
  const scale = Math.max(0, total + sums.messages * perMessage) / total
  for (let i = 0; i < tokens.length; i++) tokens[i] = (tokens[i] ?? 0) * scale
  return { tokens, total: total * scale }
}

/**
 * Tokens of one category: reported tokens as they are, units by their factor. Thinking that the calibration found
 * not to be sent again (factor 0) takes no room even where its size was reported.
 */
function tokensOf(place: number, units: number, known: number, factor: number): number {
  return units * factor + (place === ENTRY_PLACES.thinking && factor === 0 ? 0 : known)
}

/** Units that came between two states of one growing context, by category; images are left out. */
export function unitsBetween(earlier: ContextSums, later: ContextSums): EntryUnits {
  const grown = (category: EntryCategory) => {
    const place = ENTRY_PLACES[category]
    const by = (later.units[place] ?? 0) - (earlier.units[place] ?? 0)
    return by > 0 ? by : undefined
  }
  return {
    skills: grown('skills'),
    'bootstrap-file': grown('bootstrap-file'),
    summary: grown('summary'),
    recalled: grown('recalled'),
    user: grown('user'),
    assistant: grown('assistant'),
    thinking: grown('thinking'),
    'tool-call': grown('tool-call'),
    'tool-result': grown('tool-result'),
    other: grown('other'),
  }
}
