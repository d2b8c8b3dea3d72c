import { forNormalWords } from './normal-words'
import { asksForFigure, isEmptyWord, isLightWord } from './question-words'
import { relatedTo } from './related-words'
import { isUnspaced } from './unspaced'

/** One thing that a question names, and the words by which a text can have it. */
export type AskedWord = {
  /** How much it counts among the words of the question: how rare it is. */
  readonly weight: number
  /** Whether it is of the subject, and not of asking. */
  readonly telling: boolean
  /** Whether it is a name of several parts, which hardly anything else has by chance. */
  readonly isName: boolean
  /** Words that will do, by their numbers; `credit` is how well: 1 for the word itself. */
  readonly ways: readonly { readonly term: number; readonly credit: number }[]
  /** Words that will do where a passage has all of them: the parts of a name. Empty when they do not. */
  readonly parts: readonly number[]
  readonly partsCredit: number
}

/** What is known of the words of some texts. */
export type KnownWords = {
  /** How many texts there are. */
  readonly texts: number
  /** The number of a word in normal form; undefined when no text has it. */
  numberOf(word: string): number | undefined
  /** How many texts have it; 0 when none has. */
  holdersOf(word: string): number
}

/** Under this name a passage has that there is a figure in it, whichever; no word is spelt so. */
export const FIGURE = '#'
/** What that counts where a question asks for one. */
const FIGURE_WEIGHT = 2

/** Words of a question that count; what is behind them is a text, not a question. */
const MOST_ASKED = 64
/** How well a related word does, and the parts of a name in place of the whole. */
const [RELATED_CREDIT, PARTS_CREDIT] = [0.4, 0.8]
/** A word of asking counts for a part of a common word. */
const [LIGHT_SHARE, LIGHT_MOST] = [0.3, 3]
/** As if there were so many texts more that have none of the words: few texts do not show what is rare. */
const OTHER_TEXTS = 30

/** The words of a question, each once, weighted by how rare it is; a word that no text has is the rarest. */
export function wordsAsked(question: string, known: KnownWords): AskedWord[] {
  const asked = new Map<string, AskedWord>()
  let before = ''
  let forFigure = false
  forNormalWords(question, ({ whole, parts }) => {
    if (asked.size >= MOST_ASKED) return
    forFigure ||= asksForFigure(before, whole)
    before = whole
    if (!isEmptyWord(whole) && !asked.has(whole))
      asked.set(whole, askedWord(whole, isUnspaced(whole) ? [] : parts, known))
  })
  const figure = known.numberOf(FIGURE)
  return forFigure && figure !== undefined ? [...asked.values(), anyFigure(figure)] : [...asked.values()]
}

function anyFigure(term: number): AskedWord {
  const ways = [{ term, credit: 1 }]
  return { weight: FIGURE_WEIGHT, telling: false, isName: false, ways, parts: [], partsCredit: 0 }
}

function askedWord(whole: string, parts: readonly string[], known: KnownWords): AskedWord {
  const own = known.numberOf(whole)
  const others = relatedTo(whole)
  const telling = [...new Set(parts.filter((part) => !isEmptyWord(part)))]
  const together = telling.flatMap((part) => known.numberOf(part) ?? [])
  const holders = (words: readonly string[]) => words.map((word) => known.holdersOf(word))
  // As rare as itself, else as the commonest word for it, else as its rarest part.
  const held =
    known.holdersOf(whole) ||
    Math.max(0, ...holders(others)) ||
    Math.min(...holders(telling.length === 0 ? [whole] : telling))
  const rarity = rarityOf(held, known.texts + OTHER_TEXTS)
  const isLight = isLightWord(whole)
  return {
    weight: isLight ? Math.min(rarity, LIGHT_MOST) * LIGHT_SHARE : rarity,
    telling: !isLight,
    isName: parts.length > 1,
    ways: [
      ...(own === undefined ? [] : [{ term: own, credit: 1 }]),
      ...others.flatMap((word) => {
        const term = known.numberOf(word)
        return term === undefined ? [] : [{ term, credit: RELATED_CREDIT }]
      }),
    ],
    parts: together.length === telling.length ? together : [],
    partsCredit: PARTS_CREDIT,
  }
}

/** How telling it is that a text has a word which so many of the texts have. */
function rarityOf(holders: number, texts: number): number {
  return Math.log(1 + (texts - holders + 0.5) / (holders + 0.5))
}
