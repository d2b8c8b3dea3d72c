import { normalWordsOf } from './normal-words'

/** Words that say nothing about a subject, in English and, as far as they mean nothing in it, in its neighbours. */
const EMPTY = lazyWords(
  `a an and are as at be been but by can could did do doe does doesn don for from had has ha have he her him his how i if in into
   is isn it its just me my no not of off on onto or our ours out own she should so some than that the their them then there these
   they thi this those to too up us was wa wasn we were weren what when where which while who whom whose why will with would
   wouldn you your am ain aren couldn didn hadn hasn haven ll re ve isnt dont im
   der die das den dem des ein eine einen einem einer und oder ist sind war nicht mit für von zu im auf wie wo wer
   warum bitte le la les un une du et ou est que qui quoi dans pour avec sur pas el los las una y es en del por con
   para como`,
)

/** Words of asking and talking rather than of a subject. */
const LIGHT = lazyWords(
  `about actual actually after again ago all already also although always another any anybody anyone anything anyway
   around ask asked away back bad because before begin behind being best better between both bring brought call came come
   complain completely concern connect connection day deal decide did different discuss done each either else end enough
   even ever every everybody everyone everything exactly far feel few find first follow found gave get give given go goes going
   gone good got great guess guy happen happened hard hear heard help hey hi his hope idea instead keep kept kind knew
   know known last later least let like little long look lot made main make many matter maybe mean mention mentioned
   might mind moment more most much must name need never new next nice none nothing now nowhere odd often okay old
   once one only other otherwise part people perhaps person piece place please point possible pretty probably problem put quite
   rather reach ready real really reason regard remember remind report right said same saw say second see seem seen
   several show shown side since somebody somehow someone something sometimes somewhere soon sort start still stuff
   such supposed sure take taken talk tell thank thanks thing think though thought through time today together told
   took topic toward tried try trying turn turned twice under until upon use used using usual usually very via want
   wanted way week well went whatever whether whole within without wonder word work worked wrong yes yesterday yet`,
)

/** What a question for a figure has behind `how`, and what it is called otherwise. */
const HOW = lazyWords('many much long large big small often high wide fast slow far old')
const FIGURES = lazyWords('number count percent percentage size byte port line version hex value')

/** Whether a word, in normal form as the one before it, shows that a figure is asked for: `how many`, `the port`. */
export function asksForFigure(before: string, word: string): boolean {
  return FIGURES().has(word) || (before === 'how' && HOW().has(word))
}

/** Whether a word, in normal form, says so little that it is neither kept nor asked for. */
export function isEmptyWord(word: string): boolean {
  return EMPTY().has(word)
}

/** Whether a word, in normal form, is of asking rather than of a subject: that a text lacks it says little. */
export function isLightWord(word: string): boolean {
  return LIGHT().has(word)
}

/** The words of a text and their normal forms, made when they are first asked for: an import need not wait for them. */
export function lazyWords(text: string): () => ReadonlySet<string> {
  let known: ReadonlySet<string> | null = null
  return () => {
    known ??= wordsAndForms(text)
    return known
  }
}

/** Words that are parted by white space, each as it is and in its normal form. */
function wordsAndForms(text: string): Set<string> {
  return new Set(text.split(/\s+/).flatMap((word) => [word, ...normalWordsOf(word)]))
}
