import { type LongTexts, longTextNumber } from './long-texts'

/** How long a text of an entry is, and the text itself: a parsed line may hold stand-ins for both. */
export type EntryTexts = { lengthOf(text: string): number; whole(text: string): string }

const PLAIN_TEXTS: EntryTexts = { lengthOf: ({ length }) => length, whole: (text) => text }

/** Texts as they are, or those that they replace. */
export function textsIn(longTexts: LongTexts | null): EntryTexts {
  if (longTexts === null) return PLAIN_TEXTS
  return {
    lengthOf: (text) => {
      const index = longTextNumber(text)
      return index < 0 ? text.length : longTexts.length(index)
    },
    whole: (text) => {
      const index = longTextNumber(text)
      return index < 0 ? text : longTexts.head(index, longTexts.length(index))
    },
  }
}
