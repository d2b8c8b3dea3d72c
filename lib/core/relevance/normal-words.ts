import { digitsOf, digitsOfPair } from './number-words'
import { stemOf } from './stem'
import { isUnspaced, singlesOf, wordPieces } from './unspaced'

/** Longer runs of letters and digits are data, not words. */
export const MAX_WORD = 64
/** A word of more parts is a hash or the like: its parts say nothing. */
const MAX_PARTS = 8
/** Shorter words have no parts: `kNm`, `v2`. */
const SHORTEST_NAME = 5
/** Longer texts are looked at from both ends only, in characters; the same bound as for spans. */
const MAX_TEXT = 200_000
/** Words whose forms are remembered. */
const MOST_KNOWN = 50_000

/** A word of a text by what it is found by. */
export type NormalWord = {
  /** Itself, in its normal form; for a name of several parts, all of them joined. */
  readonly whole: string
  /** Of a name such as `footerView`, its parts in their normal forms; empty for a plain word. */
  readonly parts: readonly string[]
}

const known = new Map<string, readonly NormalWord[]>()

/**
 * Calls `visit` for each word of a text, in order, in the form in which words are compared: case, accents, plurals and
 * endings make no difference, nor whether a number is written in digits, with its unit behind it (`7kNm` is `7` and
 * `kNm`) or as an English word. Names are found whole and by their parts. Where no space parts words, two neighbouring
 * characters are a word. Time is linear in the length of the text, whatever is in it.
 */
export function forNormalWords(text: string, visit: (word: NormalWord) => void): void {
  for (const part of endsOfLong(text)) visitWords(part, visit)
}

/**
 * The same for texts in which it does not matter how often and where a word is: `visit` is called for each run of letters
 * and digits once, in the order in which they come first. All that is done for each character is done by patterns, so
 * that a few texts take little: no code has to be compiled for them.
 */
export function forDistinctWords(text: string, visit: (word: NormalWord) => void): void {
  if (text.length > MAX_TEXT || MAY_BE_TENS.test(text)) {
    forNormalWords(text, visit)
    return
  }
  const runs = text.match(ALL_ASCII.test(text) ? ASCII_RUN : RUN)
  for (const run of new Set(runs)) for (const word of formsOf(run)) visit(word)
}

/** What is looked at of a text: all of it, or its beginning and its end. */
export function endsOfLong(text: string): readonly string[] {
  return text.length <= MAX_TEXT ? [text] : [text.slice(0, MAX_TEXT / 2), text.slice(-MAX_TEXT / 2)]
}

/** The words of a text in their normal forms, in order: names whole, then their parts. */
export function normalWordsOf(text: string): string[] {
  const words: string[] = []
  forNormalWords(text, ({ whole, parts }) => {
    words.push(whole, ...parts)
  })
  return words
}

function visitWords(text: string, visit: (word: NormalWord) => void): void {
  let before = ''
  visitRuns(text, (from, to) => {
    const run = text.slice(from, to)
    const both = digitsTogether(before, run)
    before = run.length > MAX_WORD ? before : run
    if (both !== null) visit({ whole: both, parts: [] })
    else for (const word of formsOf(run)) visit(word)
  })
}

/**
 * Calls `visit` with the place of each run of letters and digits of a text, in order; `RUN` says what holds one together.
 */
export function visitRuns(text: string, visit: (from: number, to: number) => void): void {
  const { length } = text
  for (let at = 0; at < length; ) {
    const end = plainEnd(text, at)
    if (end === at) {
      at += 1
      continue
    }
    if (end > at) {
      visit(at, end)
      at = end
    } else {
      RUN.lastIndex = at
      const found = RUN.exec(text)
      if (found === null) return
      at = RUN.lastIndex
      visit(at - found[0].length, at)
    }
  }
}

/** The number that two neighbouring runs are together, such as `forty three`; null when they are none. */
export function digitsTogether(before: string, run: string): string | null {
  return mayBeTens(before) && run.length <= MAX_WORD
    ? digitsOfPair(before.toLowerCase(), run.toLowerCase())
    : null
}

/** Words like `forty`: nearly none, so that hardly one has to be compared. */
function mayBeTens(word: string): boolean {
  const { length } = word
  return length > 4 && length < 8 && (word.charCodeAt(length - 1) | 32) === 121
}

/**
 * Where a word of plain letters and digits ends that begins at a place, as most do; the place itself where none begins,
 * and -1 where `RUN` has to say.
 */
function plainEnd(text: string, at: number): number {
  const first = signOf(text.charCodeAt(at))
  if (first === NOTHING) return at
  if (first !== LETTER) return -1
  for (let end = at + 1; end < text.length; end++) {
    const sign = signOf(text.charCodeAt(end))
    if (sign === NOTHING) return end
    if (sign === OTHER) return -1
  }
  return text.length
}

/** What a character may be to a word: no part of one, a letter or a digit of ASCII, or whatever `RUN` finds. */
const [NOTHING, LETTER, DIGIT, OTHER] = [0, 1, 2, 3]
const SIGNS = new Uint8Array(128)
for (let code = 48; code < 58; code++) SIGNS[code] = DIGIT
for (let code = 65; code < 91; code++) {
  SIGNS[code] = LETTER
  SIGNS[code + 32] = LETTER
}
for (const sign of '_-') SIGNS[sign.charCodeAt(0)] = OTHER

function signOf(code: number): number {
  return code < 128 ? (SIGNS[code] as number) : OTHER
}

/** The words of a run, in their normal forms. */
export function formsOf(run: string): readonly NormalWord[] {
  // Without spaces a sentence is one run; what else is so long is data.
  if (run.length > MAX_WORD) return isUnspaced(run.slice(0, MAX_WORD)) ? unspacedForms(run) : []
  const there = known.get(run)
  if (there !== undefined) return there
  const forms = readForms(run)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(run, forms)
  return forms
}

/** The words of a run of up to `MAX_WORD` characters, in their normal forms, none of them remembered. */
export function readForms(run: string): readonly NormalWord[] {
  if (PLAIN.test(run)) return [single(formOf(run.toLowerCase()))]
  return isUnspaced(run) ? unspacedForms(run) : spacedForms(run)
}

function unspacedForms(run: string): NormalWord[] {
  const plain = withoutMarks(run).toLowerCase()
  return wordPieces(plain).map((piece) =>
    isUnspaced(piece) ? { whole: piece, parts: singlesOf(piece) } : single(formOf(piece)),
  )
}

/** A run of letters, digits and the signs that hold a name or number together. */
function spacedForms(run: string): NormalWord[] {
  if (NUMBER.test(run)) return numberForms(run)
  const [, figure, unit] = MEASURE.exec(run) ?? []
  // A number with its unit is two words: `7kNm` is no name.
  if (figure !== undefined && unit !== undefined)
    return [single(figure), single(formOf(withoutMarks(unit).toLowerCase()))]
  const found = (run.length < SHORTEST_NAME ? null : withoutMarks(run).match(PARTS)) ?? [withoutMarks(run)]
  const lower = found.map((part) => part.toLowerCase())
  const [first = '', second = '', ...more] = lower
  // Accents without a letter are no word.
  if (second === '') return first === '' ? [] : [single(formOf(first))]
  const both = more.length === 0 ? digitsOfPair(first, second) : null
  if (both !== null) return [single(both)]
  return [{ whole: formOf(lower.join('')), parts: lower.length > MAX_PARTS ? [] : lower.map(formOf) }]
}

function single(whole: string): NormalWord {
  return { whole, parts: [] }
}

/** `1,000` is 1000; of `15.5.2` the first figure is a part. */
function numberForms(run: string): NormalWord[] {
  const figures = THOUSANDS.test(run) ? [run.replaceAll(',', '')] : run.split(',')
  return figures.map((whole) => {
    const major = /^\d+(?=\.\d+\.)/.exec(whole)
    return { whole, parts: major === null ? [] : [major[0]] }
  })
}

function formOf(word: string): string {
  return digitsOf(word) ?? stemOf(americanOf(word))
}

/** British spellings as American ones: `colour`, `initialise`, `grey`, `centre`, `centred`, but not `hatred`. */
function americanOf(word: string): string {
  return word
    .replace(/^grey(?=$|s$)/, 'gray')
    .replace(/(?<=..)our(?=$|s$|ed$|ing$|ful$|able$)/, 'or')
    .replace(/(?<=...)is(?=e$|es$|ed$|er$|ers$|ing$|ation$|ations$)/, 'iz')
    .replace(/(?<=..)tre(?=$|s$)/, 'ter')
    .replace(/(?<=...)tred$/, 'tered')
}

function withoutMarks(word: string): string {
  return ASCII.test(word) ? word : word.normalize('NFD').replace(MARKS, '')
}

/** Letters and digits; points and commas between digits, underscores and hyphens between letters and digits. */
const RUN = /\p{N}+(?:[.,]\p{N}+)+(?![\p{L}\p{N}])|[\p{L}\p{M}\p{N}\p{Co}]+(?:[_-][\p{L}\p{M}\p{N}]+)*/gu
/** The same where all is ASCII. */
const ASCII_RUN = /[0-9]+(?:[.,][0-9]+)+(?![A-Za-z0-9])|[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*/g
const ALL_ASCII = /^[\0-\x7f]*$/
/** Words of one part, as most are. */
const PLAIN = /^(?:[A-Za-z]?[a-z]+|[A-Z]+)$/
/** What the names of tens that a unit may follow end in. */
const MAY_BE_TENS = /(?:wen|hir|for|fif|six|ven|igh|ine)ty/i
const NUMBER = /^\p{N}+(?:[.,]\p{N}+)*$/u
const THOUSANDS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/
const MEASURE = /^(\p{N}+)(\p{L}{1,4})$/u
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{Co}]+|\p{N}+/gu
const ASCII = /^[\x20-\x7e]*$/
const MARKS = /\p{M}+/gu
