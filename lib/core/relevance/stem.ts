/**
 * The stem of an English word by Porter's algorithm ("An algorithm for suffix stripping", 1980), so that `crane`,
 * `cranes` and `craning` are one word. Words of other languages are shortened by the same rules on both sides of a
 * comparison, so they still match themselves.
 * @param word in lower case; whatever is not of the letters a to z comes back as it is
 */
export function stemOf(word: string): string {
  if (word.length < 3 || !LETTERS.test(word)) return word
  const plural = withoutPlural(word)
  const past = withoutPast(plural)
  const y =
    past.length > 2 && past.endsWith('y') && hasVowel(past.slice(0, -1)) ? `${past.slice(0, -1)}i` : past
  return tidied(cut(replaced(replaced(y, LONG_SUFFIXES), MIDDLE_SUFFIXES)))
}

const LETTERS = /^[a-z]+$/

/** Pairs of an ending and what takes its place where a syllable is before it; longer endings come first. */
type Endings = readonly (readonly [ending: string, instead: string])[]

const LONG_SUFFIXES: Endings =
  pairs(`ization ize, ational ate, fulness ful, ousness ous, iveness ive, tional tion,
  biliti ble, entli ent, ousli ous, ation ate, alism al, aliti al, iviti ive, enci ence, anci ance, izer ize,
  ator ate, abli able, alli al, logi log, eli e`)
const MIDDLE_SUFFIXES: Endings = pairs('icate ic, ative, alize al, iciti ic, ical ic, ness, ful')
const LAST_SUFFIXES = 'ement ance ence able ible ment ant ent ism ate iti ous ive ize ion al er ic ou'.split(
  ' ',
)

function pairs(text: string): Endings {
  return text.split(',').map((pair) => {
    const [ending = '', instead = ''] = pair.trim().split(' ')
    return [ending, instead] as const
  })
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (word.endsWith('ies')) return word.slice(0, -2)
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

function withoutPast(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const ending = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0
  const stem = word.slice(0, word.length - ending)
  if (ending === 0 || !hasVowel(stem)) return word
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`
  if (isDouble(stem) && !/[lsz]$/.test(stem)) return stem.slice(0, -1)
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem
}

function replaced(word: string, endings: Endings): string {
  const found = endings.find(([ending]) => word.endsWith(ending))
  if (found === undefined) return word
  const stem = word.slice(0, -found[0].length)
  return measure(stem) > 0 ? stem + found[1] : word
}

function cut(word: string): string {
  const ending = LAST_SUFFIXES.find((one) => word.endsWith(one))
  if (ending === undefined) return word
  const stem = word.slice(0, -ending.length)
  if (measure(stem) < 2 || (ending === 'ion' && !/[st]$/.test(stem))) return word
  return stem
}

function tidied(word: string): string {
  let stem = word
  if (stem.endsWith('e')) {
    const shorter = stem.slice(0, -1)
    const syllables = measure(shorter)
    if (syllables > 1 || (syllables === 1 && !endsShort(shorter))) stem = shorter
  }
  return stem.endsWith('ll') && measure(stem) > 1 ? stem.slice(0, -1) : stem
}

function isConsonant(word: string, at: number): boolean {
  const letter = word.charAt(at)
  if (letter === 'y') return at === 0 || !isConsonant(word, at - 1)
  return !'aeiou'.includes(letter)
}

function hasVowel(word: string): boolean {
  for (let i = 0; i < word.length; i++) if (!isConsonant(word, i)) return true
  return false
}

/** How often a vowel is followed by a consonant: about the number of syllables. */
function measure(word: string): number {
  let count = 0
  let afterVowel = false
  for (let i = 0; i < word.length; i++) {
    const consonant = isConsonant(word, i)
    if (consonant && afterVowel) count += 1
    afterVowel = !consonant
  }
  return count
}

function isDouble(word: string): boolean {
  const last = word.length - 1
  return word.charAt(last) === word.charAt(last - 1) && isConsonant(word, last)
}

/** Consonant, vowel, consonant, the last one not w, x or y: `hop`, whose e was lost in `hoping`. */
function endsShort(word: string): boolean {
  const last = word.length - 1
  if (last < 2 || /[wxy]$/.test(word)) return false
  return isConsonant(word, last) && !isConsonant(word, last - 1) && isConsonant(word, last - 2)
}
