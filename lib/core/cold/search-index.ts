import { isUnspaced, singlesOf, wordPieces } from '../relevance/unspaced'

/** A chunk that was found, and how well it fits: BM25, higher is better. */
export type Hit<Key> = { readonly key: Key; readonly score: number }

/** Saturation of repeated words, and how much length counts: the usual values. */
const [K1, B] = [1.2, 0.75]
/** Most of one word in one text that still counts; it shares a number with the text's own, as the last 8 bits. */
const MAX_COUNT = 255
/** A word that is in a larger share of the texts only ranks what rarer words find, if that is enough. */
const COMMON_SHARE = 0.2
/** Up to so many results are kept sorted while others come; more are sorted at the end. */
const FEW = 500
/** Texts are searched in their first characters only. */
const MAX_TEXT = 200_000

/**
 * Full-text search over chunks, ranked by BM25. Case, accents and punctuation make no difference, and parts of what is
 * written without spaces are found. Time of a search is proportional to how often its words occur, whatever the number
 * of texts.
 */
export class KeywordIndex<Key> {
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
    for (const word of indexWordsOf(text)) {
      counts.set(word, (counts.get(word) ?? 0) + 1)
      length += 1
    }
    for (const [word, count] of counts) {
      const posting = (number << 8) | Math.min(count, MAX_COUNT)
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

  /** In how many texts a word is, as `wordsOf` gives it; texts that were removed are among them. */
  holders(word: string): number {
    return this.postings.get(word)?.length ?? 0
  }

  /**
   * The texts that hold any of the words, best first. Among equals the one that was added last comes first.
   * @param fits false leaves a text out before the limit is applied
   */
  search(query: string, limit: number, fits: (key: Key) => boolean = () => true): Hit<Key>[] {
    if (this.scores.length < this.keys.length) this.scores = new Float64Array(this.keys.length * 2)
    const lists = [...new Set(wordsOf(query))]
      .map((word) => this.postings.get(word) ?? [])
      .toSorted((a, b) => a.length - b.length)
    const found = this.best(lists, limit, fits, true)
    // Too few hold the rarer words: then the common ones find, too.
    return found.length < limit ? this.best(lists, limit, fits, false) : found
  }

  private best(
    lists: readonly (readonly number[])[],
    limit: number,
    fits: (key: Key) => boolean,
    skipsCommon: boolean,
  ): Hit<Key>[] {
    const touched: number[] = []
    for (const list of lists) {
      const isCommon = touched.length > 0 && list.length > this.keys.length * COMMON_SHARE
      this.addScores(list, touched, skipsCommon && isCommon)
    }
    const best = new Best(limit)
    for (const number of touched) {
      const score = this.scores[number] ?? 0
      this.scores[number] = 0
      const key = this.keys[number]
      if (key !== undefined && best.accepts(number, score) && fits(key)) best.add(number, score)
    }
    return best.take().flatMap(({ number, score }) => {
      const key = this.keys[number]
      return key === undefined ? [] : [{ key, score }]
    })
  }

  /** @param onlyTouched texts without a score so far get none */
  private addScores(list: readonly number[], touched: number[], onlyTouched: boolean): void {
    const { size, scores, lengths } = this
    const rarity = Math.log(1 + (size - Math.min(list.length, size) + 0.5) / (list.length + 0.5))
    const average = Math.max(1, this.totalLength / Math.max(1, size))
    for (const posting of list) {
      const number = posting >>> 8
      const before = scores[number] as number
      if (before === 0) {
        if (onlyTouched) continue
        touched.push(number)
      }
      const count = posting & MAX_COUNT
      const damping = K1 * (1 - B + (B * (lengths[number] as number)) / average)
      scores[number] = before + (rarity * count * (K1 + 1)) / (count + damping)
    }
  }
}

type Ranked = { readonly number: number; readonly score: number }

/** The best of many, without sorting all of them. */
class Best {
  private readonly found: Ranked[] = []

  constructor(private readonly limit: number) {}

  /** Whether a result would be among the best so far. */
  accepts(number: number, score: number): boolean {
    if (this.limit > FEW || this.found.length < this.limit) return this.limit > 0
    const last = this.found.at(-1)
    return last !== undefined && ranks({ number, score }, last) < 0
  }

  add(number: number, score: number): void {
    const { found, limit } = this
    const one = { number, score }
    if (limit > FEW) {
      found.push(one)
      return
    }
    let [from, to] = [0, found.length]
    while (from < to) {
      const middle = (from + to) >> 1
      const there = found[middle]
      if (there !== undefined && ranks(there, one) < 0) from = middle + 1
      else to = middle
    }
    found.splice(from, 0, one)
    if (found.length > limit) found.pop()
  }

  take(): readonly Ranked[] {
    return this.limit > FEW ? this.found.sort(ranks).slice(0, this.limit) : this.found
  }
}

/** Negative when `a` comes before `b`: the higher score, then what was added last. */
function ranks(a: Ranked, b: Ranked): number {
  return b.score - a.score || b.number - a.number
}

/**
 * The words of a text as they are compared: letters and digits, in lower case, without accents. Where no space parts
 * words, each two neighbouring characters are one.
 */
export function* wordsOf(text: string): Generator<string> {
  for (const run of runsOf(text)) yield* isUnspaced(run) ? wordPieces(run) : [run]
}

/** What a text is found by: its words, and characters of scripts without spaces alone, as some are words. */
export function* indexWordsOf(text: string): Generator<string> {
  for (const run of runsOf(text)) {
    if (isUnspaced(run)) yield* [...wordPieces(run), ...singlesOf(run)]
    else yield run
  }
}

/** Unbroken runs of letters and digits, in lower case, without accents. */
export function* runsOf(text: string): Generator<string> {
  const start = text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text
  const plain = start.normalize('NFD').replace(MARKS, '').toLowerCase()
  for (const [run] of plain.matchAll(WORD)) yield run
}

const MARKS = /\p{M}+/gu
const WORD = /[\p{L}\p{N}\p{Co}]+/gu
