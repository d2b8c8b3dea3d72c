import { type AskedWord, FIGURE, type KnownWords, wordsAsked } from './asked-words'
import { forNormalWords } from './normal-words'
import { passageLikeness } from './passage-likeness'
import { PassageScratch } from './passage-scratch'
import { isEmptyWord } from './question-words'

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
  /** Per term: block × 8 + count in it; how many texts have it, and the last of those. */
  private readonly postings: number[][] = []
  private readonly holders: number[] = []
  private readonly lastHolder: number[] = []
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
    forNormalWords(text, ({ whole, parts }) => {
      if (isEmptyWord(whole)) return
      if (length >= BLOCK_WORDS) {
        this.addBlock(number)
        length = 0
      }
      length += 1
      const block = this.textOf.length - 1
      this.lengths[block] = length
      this.note(whole, block, number)
      if (isFigure(whole)) this.note(FIGURE, block, number)
      for (const part of parts) if (part !== whole && !isEmptyWord(part)) this.note(part, block, number)
    })
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
      holdersOf: (word) => this.others?.holdersOf(word) ?? this.holders[this.terms.get(word) ?? -1] ?? 0,
    })
    const total = asked.reduce((sum, { weight }) => sum + weight, 0)
    if (limit <= 0 || total === 0) return []
    const scratch = this.cleanScratch()
    for (const word of asked) this.addWord(word, scratch)
    const found: { key: Key; score: number; number: number }[] = []
    for (const { text, ...sums } of scratch.matches(this.textOf)) {
      const key = this.keys[text]
      const score = passageLikeness({ asked: total, blocks: this.blocks[text] ?? 1, ...sums })
      if (score > 0 && key !== undefined && fits(key)) found.push({ key, score, number: text })
    }
    found.sort((a, b) => b.score - a.score || b.number - a.number)
    return found.slice(0, limit).map(({ key, score }) => ({ key, score }))
  }

  private addBlock(text: number): void {
    this.textOf.push(text)
    this.lengths.push(0)
  }

  private note(word: string, block: number, text: number): void {
    let term = this.terms.get(word)
    if (term === undefined) {
      term = this.postings.push([]) - 1
      this.terms.set(word, term)
      this.holders.push(0)
      this.lastHolder.push(-1)
    }
    const list = this.postings[term] as number[]
    const last = list.length === 0 ? -1 : (list[list.length - 1] as number)
    if (last >>> 3 !== block || last < 0) list.push((block << 3) | 1)
    else if ((last & MAX_COUNT) < MAX_COUNT) list[list.length - 1] = last + 1
    if (this.lastHolder[term] === text) return
    this.lastHolder[term] = text
    this.holders[term] = (this.holders[term] ?? 0) + 1
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
    const { textOf } = this
    for (const posting of this.postings[term] ?? []) {
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
