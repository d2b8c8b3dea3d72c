import { type AskedWord, FIGURE, type KnownWords, wordsAsked } from './asked-words'
import type { NormalWord } from './normal-words'
import { passageLikeness } from './passage-likeness'
import { PassageScratch } from './passage-scratch'
import { isEmptyWord } from './question-words'
import { RunTable } from './run-table'

/** A text that was found, and how much it has to do with the question, 0 … 1. */
export type PassageHit<Key> = { readonly key: Key; readonly score: number }

/** A passage is two neighbouring blocks of so many words, so that passages overlap by half. */
const BLOCK_WORDS = 30
/** Most of one word in one block that counts; it shares a number with the block's own, as the last 3 bits. */
const MAX_COUNT = 7
/** What a word counts for that a passage has once or often, in a passage of full length; and how length matters. */
const [ONCE, SATURATION, SHORTNESS] = [0.65, 0.8, 0.5]

/**
 * Texts that are found by what people ask: a text is as good as its best passage of about 60 words, words are compared
 * in their normal forms (`forNormalWords`), and rare ones count more. Needs no service. Time of a search is proportional
 * to how often the words of the question occur, whatever the number of texts.
 */
export class PassageIndex<Key> {
  private readonly keys: (Key | undefined)[] = []
  private readonly numbers = new Map<Key, number>()
  /** Per text: its number of blocks. Per block: the text, and its length in words. */
  private readonly blocks: number[] = []
  private readonly textOf: number[] = []
  private readonly lengths: number[] = []
  private readonly terms = new Map<string, number>()
  /** Of all terms, in the order in which they came: block × 8 + count in it, and the place of the one before, plus 1. */
  private postings = new Int32Array(1 << 12)
  private earlier = new Int32Array(1 << 12)
  private posted = 0
  /**
   * Per term, side by side, since a text has them in any order: its last posting; the place of that, plus 1; how many
   * texts have it; the last of those, plus 1.
   */
  private facts = new Int32Array(4 << 10)
  /** Numbers of the terms of a run of letters; those of the parts of the one before are inverted (`~`). */
  private readonly runs = new RunTable<readonly number[]>((words) => this.termsOf(words))
  private scratch = new PassageScratch(0, 0)

  /** @param others what is known of more texts than these, of which these are some; left out: there are no others */
  constructor(private readonly others: Pick<KnownWords, 'texts' | 'holdersOf'> | null = null) {}

  get size(): number {
    return this.numbers.size
  }

  has(key: Key): boolean {
    return this.numbers.has(key)
  }

  add(key: Key, text: string): void {
    this.remove(key)
    const number = this.keys.push(key) - 1
    this.numbers.set(key, number)
    const first = this.textOf.length
    this.addBlock(number)
    let length = 0
    let block = first
    this.runs.visit(text, (terms) => {
      for (let i = 0; i < terms.length; i++) {
        const term = terms[i] as number
        if (term < 0) {
          this.note(~term, block, number)
          continue
        }
        if (length >= BLOCK_WORDS) {
          this.lengths[block] = length
          this.addBlock(number)
          block += 1
          length = 0
        }
        length += 1
        this.note(term, block, number)
      }
    })
    this.lengths[block] = length
    this.blocks.push(this.textOf.length - first)
  }

  /** What is removed is never found again; the room for it is freed with the index. */
  remove(key: Key): void {
    const number = this.numbers.get(key)
    if (number === undefined) return
    this.keys[number] = undefined
    this.numbers.delete(key)
  }

  /**
   * The texts that have to do with a question, best first. Among equals the one that was added last comes first.
   * @param fits false leaves a text out before the limit is applied
   */
  search(question: string, limit: number, fits: (key: Key) => boolean = () => true): PassageHit<Key>[] {
    const asked = wordsAsked(question, {
      texts: this.others?.texts ?? this.numbers.size,
      numberOf: (word) => this.terms.get(word),
      holdersOf: (word) => this.others?.holdersOf(word) ?? this.holdersOf(word),
    })
    const total = asked.reduce((sum, { weight }) => sum + weight, 0)
    const scratch = this.cleanScratch()
    for (const word of asked) this.addWord(word, scratch)
    const found: { key: Key; score: number; number: number }[] = []
    for (const { text, ...sums } of scratch.matches(this.textOf)) {
      const key = this.keys[text]
      const score = passageLikeness({ asked: total, blocks: this.blocks[text] ?? 1, ...sums })
      if (score > 0 && key !== undefined && fits(key)) found.push({ key, score, number: text })
    }
    found.sort((a, b) => b.score - a.score || b.number - a.number)
    return found.slice(0, Math.max(0, limit)).map(({ key, score }) => ({ key, score }))
  }

  private addBlock(text: number): void {
    this.textOf.push(text)
    this.lengths.push(0)
  }

  private termsOf(words: readonly NormalWord[]): readonly number[] {
    const terms: number[] = []
    for (const { whole, parts } of words) {
      if (isEmptyWord(whole)) continue
      terms.push(this.termOf(whole))
      if (isFigure(whole)) terms.push(~this.termOf(FIGURE))
      for (const part of parts) if (part !== whole && !isEmptyWord(part)) terms.push(~this.termOf(part))
    }
    return terms
  }

  private termOf(word: string): number {
    const known = this.terms.get(word)
    if (known !== undefined) return known
    const term = this.terms.size
    this.terms.set(word, term)
    if ((term + 1) * 4 > this.facts.length) this.facts = doubled(this.facts)
    return term
  }

  private holdersOf(word: string): number {
    const term = this.terms.get(word)
    return term === undefined ? 0 : (this.facts[term * 4 + 2] as number)
  }

  private note(term: number, block: number, text: number): void {
    const { facts } = this
    const at = term * 4
    const last = facts[at] as number
    const place = facts[at + 1] as number
    if (place === 0 || last >>> 3 !== block) {
      if (this.posted === this.postings.length) {
        this.postings = doubled(this.postings)
        this.earlier = doubled(this.earlier)
      }
      this.earlier[this.posted] = place
      facts[at] = (block << 3) | 1
      this.postings[this.posted] = (block << 3) | 1
      this.posted += 1
      facts[at + 1] = this.posted
    } else if ((last & MAX_COUNT) < MAX_COUNT) {
      facts[at] = last + 1
      this.postings[place - 1] = last + 1
    }
    if (facts[at + 3] === text + 1) return
    facts[at + 3] = text + 1
    facts[at + 2] = (facts[at + 2] as number) + 1
  }

  /** Adds to each passage and text what it has of a word of the question. */
  private addWord(
    { weight, telling, isName, ways, parts, partsCredit }: AskedWord,
    scratch: PassageScratch,
  ): void {
    for (const { term, credit } of ways)
      this.eachPassage(term, (passage, count) => scratch.mark(passage, credit, count))
    for (const [i, term] of parts.entries())
      this.eachPassage(term, (passage, count) => scratch.markPart(passage, i, count))
    const words = telling ? (isName ? 2 : 1) : 0
    scratch.settle({ weight, words, parts: parts.length, partsCredit }, this.textOf, (passage, count) =>
      this.often(passage, count),
    )
  }

  /** What a count in a passage is worth: it is sooner much in a short one. */
  private often(passage: number, count: number): number {
    const { lengths, textOf } = this
    const isLast = textOf[passage + 1] !== textOf[passage]
    const length = (lengths[passage] ?? 0) + (isLast ? 0 : (lengths[passage + 1] ?? 0))
    const damping = SATURATION * (1 - SHORTNESS + (SHORTNESS * length) / (2 * BLOCK_WORDS))
    return ONCE + ((1 - ONCE) * count) / (count + damping)
  }

  /** Calls `visit` for each passage with a word, with its count in a block; for a passage of two such blocks twice. */
  private eachPassage(term: number, visit: (passage: number, count: number) => void): void {
    const { textOf, postings, earlier } = this
    for (let at = this.facts[term * 4 + 1] as number; at > 0; at = earlier[at - 1] as number) {
      const posting = postings[at - 1] as number
      const block = posting >>> 3
      visit(block, posting & MAX_COUNT)
      if (block > 0 && textOf[block - 1] === textOf[block]) visit(block - 1, posting & MAX_COUNT)
    }
  }

  private cleanScratch(): PassageScratch {
    if (this.scratch.isTooSmall(this.textOf.length, this.keys.length))
      this.scratch = new PassageScratch(this.textOf.length * 2, this.keys.length * 2)
    this.scratch.clear()
    return this.scratch
  }
}

/** Whether a word, in normal form, begins with a digit: a number, a measure, a time, a version. */
function isFigure(word: string): boolean {
  const first = word.charCodeAt(0)
  return first >= 48 && first <= 57
}

function doubled(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const more = new Int32Array(numbers.length * 2)
  more.set(numbers)
  return more
}
