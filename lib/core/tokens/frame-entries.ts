import type { ContextEntry } from '../transcript/context'
import { ENTRY_CATEGORIES, type EntryCategory } from './category'
import { shareOf } from './context-sums'
import type { Frame } from './frame'

/** What one entry of a context holds of the window. Whole tokens. */
export type EntryTokens = {
  readonly entry: ContextEntry
  /** The category that most of its tokens belong to. */
  readonly category: EntryCategory
  readonly tokens: number
  readonly byCategory: { readonly [C in EntryCategory]?: number }
}

/**
 * Divides the frame's tokens of each category among the entries, in proportion to their units or reported tokens, so
 * that they add up to the frame (to the token). Entries that are not sent hold nothing; those whose text is merged
 * into the message before them do.
 */
export function frameEntries(
  context: readonly ContextEntry[],
  frame: Pick<Frame, 'categories'>,
): EntryTokens[] {
  const weights = context.map((entry) => weightsOf(entry))
  const parts: { [C in EntryCategory]?: number }[] = context.map(() => ({}))
  for (const category of ENTRY_CATEGORIES) {
    const tokens = frame.categories[category] ?? 0
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

function roleCategory(role: string | undefined): EntryCategory {
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
