/** A chunk that was found, and how well it fits: BM25, higher is better. */
export type Hit<Key> = { readonly key: Key; readonly score: number }

/** Saturation of repeated words, and how much length counts: the usual values. */
const [K1, B] = [1.2, 0.75]
/** Most of one word in one text that still counts; it shares a number with the text's own. */
const MAX_COUNT = 255
/** Texts are searched in their first characters only. */
const MAX_TEXT = 200_000

/**
 * Full-text search over chunks, ranked by BM25 (I4). Case, accents and punctuation make no difference. Time of a search
 * is proportional to how often its words occur, whatever the number of texts.
 */
export class SearchIndex<Key> {
  private readonly keys: (Key | undefined)[] = []
  private readonly lengths: number[] = []
  private readonly numbers = new Map<Key, number>()
  /** Text number × 256 + count of the word in it. */
  private readonly postings = new Map<string, number[]>()
  private totalLength = 0
  private scores = new Float64Array(0)

  get size(): number {
    return this.numbers.size
  }

  has(key: Key): boolean {
    return this.numbers.has(key)
  }

  add(key: Key, text: string): void {
    this.remove(key)
    const number = this.keys.length
    const counts = new Map<string, number>()
    let length = 0
    for (const word of wordsOf(text)) {
      counts.set(word, (counts.get(word) ?? 0) + 1)
      length += 1
    }
    for (const [word, count] of counts) {
      const posting = number * (MAX_COUNT + 1) + Math.min(count, MAX_COUNT)
      const list = this.postings.get(word)
      if (list === undefined) this.postings.set(word, [posting])
      else list.push(posting)
    }
    this.keys.push(key)
    this.lengths.push(length)
    this.numbers.set(key, number)
    this.totalLength += length
  }

  /** What is removed is never found again; the room for it is freed with the index. */
  remove(key: Key): void {
    const number = this.numbers.get(key)
    if (number === undefined) return
    this.totalLength -= this.lengths[number] ?? 0
    this.keys[number] = undefined
    this.numbers.delete(key)
  }

  /**
   * The texts that hold any of the words, best first. Among equals the one that was added last comes first.
   * @param fits false leaves a text out before the limit is applied
   */
  search(query: string, limit: number, fits: (key: Key) => boolean = () => true): Hit<Key>[] {
    const words = new Set(wordsOf(query))
    if (this.scores.length < this.keys.length) this.scores = new Float64Array(this.keys.length * 2)
    const touched: number[] = []
    for (const word of words) this.addScores(word, touched)
    const found: Hit<number>[] = []
    for (const number of touched) {
      const key = this.keys[number]
      if (key !== undefined && fits(key)) found.push({ key: number, score: this.scores[number] ?? 0 })
      this.scores[number] = 0
    }
    found.sort((a, b) => b.score - a.score || b.key - a.key)
    return found.slice(0, limit).flatMap(({ key: number, score }) => {
      const key = this.keys[number]
      return key === undefined ? [] : [{ key, score }]
    })
  }

  private addScores(word: string, touched: number[]): void {
    const list = this.postings.get(word)
    if (list === undefined) return
    const { size, scores } = this
    const rarity = Math.log(1 + (size - Math.min(list.length, size) + 0.5) / (list.length + 0.5))
    const average = Math.max(1, this.totalLength / Math.max(1, size))
    for (const posting of list) {
      const count = posting % (MAX_COUNT + 1)
      const number = (posting - count) / (MAX_COUNT + 1)
      if (scores[number] === 0) touched.push(number)
      const damping = K1 * (1 - B + (B * (this.lengths[number] ?? 0)) / average)
      scores[number] = (scores[number] ?? 0) + (rarity * count * (K1 + 1)) / (count + damping)
    }
  }
}

/** The words of a text as they are compared: letters and digits, in lower case, without accents. */
export function* wordsOf(text: string): Generator<string> {
  const start = text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text
  const plain = start.normalize('NFD').replace(MARKS, '').toLowerCase()
  for (const [word] of plain.matchAll(WORD)) yield word
}

const MARKS = /\p{M}+/gu
const WORD = /[\p{L}\p{N}\p{Co}]+/gu
