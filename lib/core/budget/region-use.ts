import { CATEGORIES, type Category } from '../tokens/category'
import { estimated, type Figure, measured, UNKNOWN } from '../tokens/figure'
import type { Frame } from '../tokens/frame'
import type { REGIONS } from './regions'

type Region = (typeof REGIONS)[number]

const FIXED: readonly Category[] = ['system-prompt', 'tool-schemas', 'skills', 'residual']

/** Which categories lie in which region. What is known by no name was sent as part of the system prompt. */
const REGION_CATEGORIES: { readonly [R in Region]?: (category: Category) => boolean } = {
  systemPrompt: (category) => FIXED.includes(category),
  bootstrap: (category) => category === 'bootstrap-file',
  history: (category) => category !== 'bootstrap-file' && !FIXED.includes(category),
}

/** What a session has in a region of its window. */
export function regionUse(
  region: Region,
  session: {
    /** The frame of the call that would be made now. */
    readonly next: Frame
    readonly lastOutput: Figure
    readonly totals: { readonly context: Figure }
  },
): Figure {
  const { next, lastOutput, totals } = session
  if (region === 'response') return lastOutput
  const belongs = REGION_CATEGORIES[region]
  if (belongs === undefined || totals.context.basis === 'unknown' || next.total.basis === 'unknown')
    return UNKNOWN
  const present = CATEGORIES.filter(
    (category) => belongs(category) && next.categories[category] !== undefined,
  )
  // Without a report of the runtime bootstrap files cannot be distinguished from the rest of the fixed part.
  if (present.length === 0 && region === 'bootstrap') return UNKNOWN
  const tokens = present.reduce((sum, category) => sum + (next.categories[category] ?? 0), 0)
  const isMeasured = present.every((category) => next.basis[category] === 'measured')
  return isMeasured ? measured(tokens) : estimated(tokens, next.errorPct ?? 0)
}
