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
    units: ENTRY_CATEGORIES.map((category, i) => (sums.units[i] ?? 0) + (share.units[category] ?? 0)),
    known: ENTRY_CATEGORIES.map((category, i) => (sums.known[i] ?? 0) + (share.known[category] ?? 0)),
    messages: sums.messages + 1,
    images: sums.images + (fact.images ?? 0),
  }
}

/** Tokens by category of what the sums hold, and of all together. */
export function sumsToTokens(
  sums: ContextSums,
  calibration: Calibration,
): { tokens: CategoryTokens; total: number } {
  const tokens: { [C in EntryCategory]?: number } = {}
  let total = 0
  ENTRY_CATEGORIES.forEach((category, i) => {
    const amount = entryTokens(category, sums.units[i] ?? 0, sums.known[i] ?? 0, calibration)
    if (amount > 0) tokens[category] = amount
    total += amount
  })
  // What messages cost beside their content is spread over the categories in proportion.
  const overhead = sums.messages * perMessage(calibration)
  if (total <= 0) return { tokens, total: 0 }
  const scale = Math.max(0, total + overhead) / total
  for (const category of ENTRY_CATEGORIES) {
    const amount = tokens[category]
    if (amount !== undefined) tokens[category] = amount * scale
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
  const factor = factorFor(calibration, category)
  return units * factor + (category === 'thinking' && factor === 0 ? 0 : known)
}

/** Units that came between two states of one growing context, by category. */
export function unitsBetween(earlier: ContextSums, later: ContextSums): EntryUnits {
  const units: { [C in EntryCategory]?: number } = {}
  ENTRY_CATEGORIES.forEach((category, i) => {
    const grown = (later.units[i] ?? 0) - (earlier.units[i] ?? 0)
    if (grown > 0) units[category] = grown
  })
  return units
}
