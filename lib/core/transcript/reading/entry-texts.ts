import { type LongTexts, longTextNumber } from './long-texts'
import type { EntryTexts } from './read-content'

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
