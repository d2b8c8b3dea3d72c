import type { ContextEntry } from '../transcript/context'
import type { Sender } from '../transcript/send-rules'
import type { Tokens } from '../units/units'
import type { EntryCategory } from './category'
import { EntryWeights } from './entry-weights'
import type { Frame } from './frame'

/** What one entry of a context holds of the window. Whole tokens. */
export type EntryTokens = {
  readonly entry: ContextEntry
  /** The category that most of its tokens belong to. */
  readonly category: EntryCategory
  readonly tokens: Tokens
  readonly byCategory: { readonly [C in EntryCategory]?: number }
  /** All its tokens are of its category. */
  readonly isOfOne?: boolean
}

/**
 * Divides the frame's tokens of each category among the entries, in proportion to their units or reported tokens, so
 * that they add up to the frame (to the token). Entries that are not sent hold nothing; those whose text is merged
 * into the message before them do.
 */
export function frameEntries(
  context: readonly ContextEntry[],
  frame: Pick<Frame, 'categories'>,
  sender: Sender,
): EntryTokens[] {
  const weights = new EntryWeights(sender)
  for (const entry of context) weights.add(entry)
  const shares = weights.divide(context.length, frame.categories)
  return context.map((entry, i) => ({
    entry,
    category: shares.category(i),
    tokens: shares.tokens[i] ?? 0,
    byCategory: shares.byCategory(i),
  }))
}
