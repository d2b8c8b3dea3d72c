import { scanSpans } from './spans'
import { isUnspaced, wordPieces } from './unspaced'

/** Longer runs of letters and digits are data, not words. */
const MAX_WORD = 64
/** Longer texts are examined from both ends only, in characters; the same bound as for spans. */
const MAX_TEXT = 200_000

/** Words that say nothing about a subject. Short on purpose: rarity does the rest. */
const STOP_WORDS = new Set(
  `a an and are as at be but by can could did do does for from had has have he her his how i if in into is it its
   just me my no not of on or our please she so than that the their them then there these they this to too us was we
   were what when where which who why will with would you your`.split(/\s+/),
)

/**
 * Calls `visit` for each term of a text: every word in lower case, the parts of camelCase, snake_case and paths
 * separately, and each span of more than one word as a whole. Punctuation is never part of a term, so that "topic7,"
 * and "topic7" are the same. Scripts without spaces between words are split into pairs of characters.
 */
export function forTerms(text: string, visit: (term: string) => void): void {
  const seen = text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT / 2)}\n${text.slice(-MAX_TEXT / 2)}`
  for (const word of wordsIn(seen)) {
    if (word.length > MAX_WORD) continue
    const lower = word.toLowerCase()
    if (!STOP_WORDS.has(lower)) visit(lower)
    if (lower === word || !INNER_CAPITAL.test(word)) continue
    for (const part of word.match(CAMEL_PARTS) ?? []) if (part.length > 1) visit(part.toLowerCase())
  }
  scanSpans(seen, ({ text: span }) => {
    // A span of one word was visited as such.
    if (MORE_THAN_A_WORD.test(span)) visit(span.toLowerCase())
  })
}

function wordsIn(text: string): readonly string[] {
  const words = text.match(WORD) ?? []
  return isUnspaced(text) ? words.flatMap(wordPieces) : words
}

/** The distinct terms of a text, in order of first appearance. */
export function termsOf(text: string): Set<string> {
  const terms = new Set<string>()
  forTerms(text, (term) => terms.add(term))
  return terms
}

const WORD = /[\p{L}\p{N}]+/gu
const INNER_CAPITAL = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}{2}\p{Ll}/u
const CAMEL_PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+/gu
const MORE_THAN_A_WORD = /[^\p{L}\p{N}]/u
