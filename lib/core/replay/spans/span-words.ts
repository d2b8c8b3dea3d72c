import { isName, type SpanClass } from '../../relevance/spans'
import { forWords } from '../texts/text-words'

/** The words of a span: `words[at]` and the one behind it are the pair by which it is found. */
type Phrase = { readonly span: number; readonly words: readonly number[]; readonly at: number }

/** Shorter words, all together, are in texts by chance. Letters and digits. */
const [LEAST_QUOTED, LEAST_NAME, LEAST_WORDS] = [7, 6, 10]
/** Options of one letter and placeholders: whoever has the rest can write them. */
const ASIDE = /(?:^|\s)-\w(?=\s)|<\w+>/g
/** Longer texts are no spans. */
const MOST_WORDS = 40
/** Spans that are found by one pair of words; those after so many are passed over. */
const MOST_OF_PAIR = 64
const FILTER_BITS = 16
const BASE = 0x01000193

/**
 * Finds spans of a session by their words alone (lib/docs/replay.md#held): a quotation without its marks or with escaped
 * ones, a name in other letters or as words. Work is in proportion to the words that are read.
 */
export class SpanWords {
  readonly #byKey = new Map<number, Phrase[]>()
  /** Which keys there may be: most words are none. */
  readonly #filter = new Uint8Array(1 << FILTER_BITS)
  #words = new Int32Array(1_024)
  #count = 0

  /** A span is known from here on. */
  learn(span: number, kind: SpanClass, text: string): void {
    if (kind === 'quoted') {
      const said = text.replace(ASIDE, ' ').trim()
      // What is left of `-d harbour_staging` is a name.
      const isNamed = said !== text && said.length >= LEAST_WORDS && isName(said)
      this.#learn(span, said, LEAST_QUOTED, isNamed ? 1 : 2)
    }
    if (kind !== 'identifier' || /[.:_]/.test(text)) return
    this.#learn(span, text, LEAST_NAME, 1)
    if (/[a-z\d][A-Z]/.test(text) && isName(text))
      this.#learn(span, text.replace(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2'), LEAST_WORDS, 2)
  }

  #learn(span: number, text: string, leastLetters: number, leastWords: number): void {
    const words: number[] = []
    const lengths: number[] = []
    forWords(text, (hash, from, to) => {
      words.push(hash)
      lengths.push(to - from)
    })
    const letters = lengths.reduce((sum, length) => sum + length, 0)
    if (words.length < leastWords || words.length > MOST_WORDS || letters < leastLetters) return
    // The longest pair is the rarest.
    let [at, most] = [0, 0]
    for (let i = 0; i + 1 < words.length; i++) {
      const length = (lengths[i] as number) + (lengths[i + 1] as number)
      if (length > most) [at, most] = [i, length]
    }
    const key =
      words.length === 1 ? (words[0] as number) : pairOf(words[at] as number, words[at + 1] as number)
    const known = this.#byKey.get(key)
    if (known === undefined) this.#byKey.set(key, [{ span, words, at }])
    else if (known.length < MOST_OF_PAIR) known.push({ span, words, at })
    this.#filter[slotOf(key)] = 1
  }

  /** The next word of a text (`forWords`). */
  read(hash: number): void {
    if (this.#count === this.#words.length) {
      const larger = new Int32Array(2 * this.#words.length)
      larger.set(this.#words)
      this.#words = larger
    }
    this.#words[this.#count] = hash
    this.#count += 1
  }

  /** The text ends: calls `visit` for the spans whose words it has in a row. */
  end(visit: (span: number) => void): void {
    const words = this.#words
    for (let i = 0; i < this.#count; i++) {
      const word = words[i] as number
      this.#find(word, i, visit)
      if (i + 1 < this.#count) this.#find(pairOf(word, words[i + 1] as number), i, visit)
    }
    this.#count = 0
  }

  #find(key: number, place: number, visit: (span: number) => void): void {
    if (this.#filter[slotOf(key)] === 0) return
    for (const { span, words, at } of this.#byKey.get(key) ?? [])
      if (this.#has(words, place - at)) visit(span)
  }

  #has(words: readonly number[], from: number): boolean {
    if (from < 0 || from + words.length > this.#count) return false
    return words.every((word, i) => this.#words[from + i] === word)
  }
}

function pairOf(first: number, second: number): number {
  return (Math.imul(first, BASE) + second) | 0
}

function slotOf(key: number): number {
  return Math.imul(key, 0x9e3779b1) >>> (32 - FILTER_BITS)
}
