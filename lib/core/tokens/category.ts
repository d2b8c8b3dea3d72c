/** Categories that transcript entries can contribute to, in the order of CATEGORIES. */
export const ENTRY_CATEGORIES = [
  'skills',
  'bootstrap-file',
  'summary',
  'recalled',
  'user',
  'assistant',
  'thinking',
  'tool-call',
  'tool-result',
  'image',
  'other',
] as const

export type EntryCategory = (typeof ENTRY_CATEGORIES)[number]

/**
 * What the tokens of a context window are made of. The order is the stacking order of every chart:
 * what is fixed first, what grows last.
 */
export const CATEGORIES = ['system-prompt', 'tool-schemas', ...ENTRY_CATEGORIES, 'residual'] as const

export type Category = (typeof CATEGORIES)[number]

/**
 * Categories that are before the conversation. Most runtimes do not write them down; some inject a part of them as
 * entries of the transcript.
 */
export const FIXED_CATEGORIES = [
  'system-prompt',
  'tool-schemas',
  'skills',
  'bootstrap-file',
] as const satisfies readonly Category[]

/** The place of each in ENTRY_CATEGORIES. */
export const ENTRY_PLACES = Object.fromEntries(ENTRY_CATEGORIES.map((category, i) => [category, i])) as {
  readonly [C in EntryCategory]: number
}

/** Amounts by category; a category that is absent holds nothing. */
export type CategoryTokens = { readonly [C in Category]?: number }

/**
 * Amounts in the order of CATEGORIES; 0 for those that are absent. Each is named, since a loop over the names takes
 * several times as long, and this is done for every call of every transcript.
 */
export function inOrder(amounts: CategoryTokens): number[] {
  return [
    amounts['system-prompt'] ?? 0,
    amounts['tool-schemas'] ?? 0,
    amounts.skills ?? 0,
    amounts['bootstrap-file'] ?? 0,
    amounts.summary ?? 0,
    amounts.recalled ?? 0,
    amounts.user ?? 0,
    amounts.assistant ?? 0,
    amounts.thinking ?? 0,
    amounts['tool-call'] ?? 0,
    amounts['tool-result'] ?? 0,
    amounts.image ?? 0,
    amounts.other ?? 0,
    amounts.residual ?? 0,
  ]
}

/** Estimator units (see `estimate.ts`) of one entry, by category. */
export type EntryUnits = { readonly [C in EntryCategory]?: number }

/** All of them together. */
export function unitsOf(units: EntryUnits): number {
  let sum = 0
  let name: EntryCategory
  for (name in units) sum += units[name] ?? 0
  return sum
}
