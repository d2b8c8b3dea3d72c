import type { PassageMatch } from './passage-likeness'

/** What a text and its best passage have of a question. */
type PassageSums = Pick<PassageMatch, 'passage' | 'whole' | 'telling' | 'words'>

/**
 * Where a search adds up what passages and texts have of the words of a question. Kept between searches, since clearing
 * what was touched is cheaper than new arrays.
 */
export class PassageScratch {
  /** Of the present word, per passage: the best credit, the count, and how many of its parts, in order. */
  private readonly credit: Float64Array
  private readonly count: Float64Array
  private readonly parts: Uint8Array
  private marked: number[] = []
  /** Over all words, per passage: weights, damped by how often; of telling words; how many. */
  private readonly sums: Float64Array
  private readonly telling: Float64Array
  private readonly words: Uint8Array
  private passages: number[] = []
  /** Per text: weights of the words that it has anywhere, of the present word the best, the best passage. */
  private readonly whole: Float64Array
  private readonly present: Float64Array
  private readonly best: Int32Array
  private presentTexts: number[] = []
  private texts: number[] = []

  constructor(passages: number, texts: number) {
    this.credit = new Float64Array(passages)
    this.count = new Float64Array(passages)
    this.parts = new Uint8Array(passages)
    this.sums = new Float64Array(passages)
    this.telling = new Float64Array(passages)
    this.words = new Uint8Array(passages)
    this.whole = new Float64Array(texts)
    this.present = new Float64Array(texts)
    this.best = new Int32Array(texts)
  }

  isTooSmall(passages: number, texts: number): boolean {
    return this.sums.length < passages || this.whole.length < texts
  }

  clear(): void {
    for (const passage of this.passages) {
      this.sums[passage] = 0
      this.telling[passage] = 0
      this.words[passage] = 0
    }
    for (const text of this.texts) this.whole[text] = 0
    this.passages = []
    this.texts = []
  }

  /** A passage has the present word, or one that does as well as `credit` says. */
  mark(passage: number, credit: number, count: number): void {
    this.touch(passage)
    if (credit > (this.credit[passage] as number)) this.credit[passage] = credit
    this.count[passage] = (this.count[passage] as number) + count * credit
  }

  /** A passage has a part of the present word. @param part from 0; one that comes after a missing one counts no more */
  markPart(passage: number, part: number, count: number): void {
    if (part === 0) this.touch(passage)
    if (this.parts[passage] !== part) return
    this.parts[passage] = part + 1
    if (part === 0) this.count[passage] = (this.count[passage] as number) + count
  }

  /** Ends the present word: adds what was marked. @param often how much a count in a passage is worth, 0 … 1 */
  settle(
    {
      weight,
      words,
      parts,
      partsCredit,
    }: {
      readonly weight: number
      readonly words: number
      readonly parts: number
      readonly partsCredit: number
    },
    textOf: readonly number[],
    often: (passage: number, count: number) => number,
  ): void {
    for (const passage of this.marked) {
      const joint = parts > 0 && this.parts[passage] === parts ? partsCredit : 0
      const value = weight * Math.max(this.credit[passage] as number, joint)
      const count = this.count[passage] as number
      this.credit[passage] = 0
      this.count[passage] = 0
      this.parts[passage] = 0
      if (value === 0) continue
      if (this.sums[passage] === 0) this.passages.push(passage)
      this.sums[passage] = (this.sums[passage] as number) + value * often(passage, count)
      if (words > 0) {
        this.telling[passage] = (this.telling[passage] as number) + value
        this.words[passage] = (this.words[passage] as number) + words
      }
      const text = textOf[passage] as number
      if (this.present[text] === 0) this.presentTexts.push(text)
      if (value > (this.present[text] as number)) this.present[text] = value
    }
    this.marked = []
    for (const text of this.presentTexts) {
      if (this.whole[text] === 0) this.texts.push(text)
      this.whole[text] = (this.whole[text] as number) + (this.present[text] as number)
      this.present[text] = 0
    }
    this.presentTexts = []
  }

  /** The texts that have any of the words, with what they and their best passages have. */
  *matches(textOf: readonly number[]): Generator<{ readonly text: number } & PassageSums> {
    for (const text of this.texts) this.best[text] = -1
    for (const passage of this.passages) {
      const text = textOf[passage] as number
      const best = this.best[text] as number
      if (best < 0 || (this.sums[passage] as number) > (this.sums[best] as number)) this.best[text] = passage
    }
    for (const text of this.texts) {
      const best = this.best[text] as number
      yield {
        text,
        passage: this.sums[best] as number,
        whole: this.whole[text] as number,
        telling: this.telling[best] as number,
        words: this.words[best] as number,
      }
    }
  }

  private touch(passage: number): void {
    if (this.credit[passage] === 0 && this.parts[passage] === 0) this.marked.push(passage)
  }
}
