import type { HelpEntry } from './find-help'
import { HELP_TERMS } from './help'

/** The parts of the help page, in its order: address and title. */
export const HELP_SECTIONS = [
  ['words', 'Words'],
  ['figures', 'What is behind a number'],
  ['totals', 'How totals are anchored'],
  ['beside-ccusage', 'Beside ccusage'],
  ['estimates', 'How estimates are made'],
  ['categories', 'Categories'],
  ['load-lines', 'Load lines and denominators'],
  ['knobs', 'Values of a policy'],
  ['compactions', 'Compactions and digests'],
  ['pruning', 'Pruning'],
  ['cold-storage', 'Dropping, cold storage and tuning'],
  ['memory', 'Memory: tasks, facts, recall'],
  ['findings', 'Findings'],
  ['remedies', 'Remedies, and whether they helped'],
  ['lab', 'Lab: policies replayed'],
  ['forecast', 'Calls to the line'],
  ['sums-of-cost', 'Sums of cost'],
  ['live', 'Live and stale'],
  ['stores', 'Stores, and what could not be read'],
  ['safety', 'Writes: repair, undo, maintenance'],
  ['library', 'In your own agent'],
  ['keyboard', 'Keyboard'],
] as const

/** A part of the help page. */
export type HelpPart = (typeof HELP_SECTIONS)[number][0]

/** Terms first: a search for a word is mostly for its meaning. */
export const HELP_INDEX: readonly HelpEntry[] = [
  ...HELP_TERMS.map(({ id, term, meaning }) => ({
    ...{ id, label: term, words: meaning },
    about: /^.*?[.:;](?=\s|$)/s.exec(meaning)?.[0].replace(/[:;]$/, '.') ?? meaning,
  })),
  ...HELP_SECTIONS.map(([id, label]) => ({ id, label, about: '', words: '' })),
]
