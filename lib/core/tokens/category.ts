/**
 * What the tokens of a context window are made of. The order is the stacking order of every chart:
 * what is fixed first, what grows last.
 */
export const CATEGORIES = [
  'system-prompt',
  'tool-schemas',
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
  'residual',
] as const

export type Category = (typeof CATEGORIES)[number]

/** Categories that stand before the conversation and do not come from transcript entries. */
export const FIXED_CATEGORIES = [
  'system-prompt',
  'tool-schemas',
  'skills',
  'bootstrap-file',
] as const satisfies readonly Category[]

/** Categories that transcript entries can contribute to. */
export const ENTRY_CATEGORIES = [
  'summary',
  'recalled',
  'user',
  'assistant',
  'thinking',
  'tool-call',
  'tool-result',
  'image',
  'other',
] as const satisfies readonly Category[]

export type EntryCategory = (typeof ENTRY_CATEGORIES)[number]

/** Amounts by category; a category that is absent holds nothing. */
export type CategoryTokens = { readonly [C in Category]?: number }

/** Estimator units (see `estimate.ts`) of one entry, by category. */
export type EntryUnits = { readonly [C in EntryCategory]?: number }
