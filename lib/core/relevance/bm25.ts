import { forTerms, termsOf } from './tokenize'

/** Saturation of repeated terms, and how much length counts (lib/docs/relevance.md#scorers). */
const [K1, B] = [1.2, 0.75]
const START_SIZE = 1024

/**
 * BM25 over texts that are added one by one. Terms and their counts are in flat arrays in the order of the texts, so
 * that a query is one pass over numbers, and nothing has to be built anew when a text comes on.
 */
export class Bm25Index {
  private readonly ids = new Map<string, number>()
  /** Per term: texts that hold it. */
  private holders = new Uint32Array(START_SIZE)
  /** Per pair of a text and a distinct term of it: the term, and how often. */
  private terms = new Uint32Array(START_SIZE)
  private counts = new Uint16Array(START_SIZE)
  private used = 0
  /** Per text: where its pairs end, and its length in terms. */
  private ends = new Uint32Array(START_SIZE)
  private lengths = new Uint32Array(START_SIZE)
  private texts = 0
  private total = 0
  /** While a text is added: where the pair of a term is, plus one. */
  private places = new Uint32Array(START_SIZE)

  /** How many texts there are. */
  get size(): number {
    return this.texts
  }

  /** Adds a text and returns its number, from 0. */
  add(text: string): number {
    const start = this.used
    let length = 0
    forTerms(text, (term) => {
      length += 1
      this.note(this.idOf(term), start)
    })
    const number = this.texts
    this.ends = grown(this.ends, number)
    this.lengths = grown(this.lengths, number)
    this.ends[number] = this.used
    this.lengths[number] = length
    this.texts += 1
    this.total += length
    return number
  }

  /** BM25 of every text against a prompt, in the order of the texts; zero or more, without an upper bound. */
  scores(prompt: string): Float64Array {
    return this.query(prompt).scores
  }

  /**
   * Likeness of every text to a prompt, 0 … 1: the larger of two shares. One is its BM25 against what a text of average
   * length gets that holds each term of the prompt once. The other is the share of the prompt's terms that it holds,
   * rare ones counting more: a long text that holds them all is as like as a short one. Terms that no text holds
   * count as the rarest ones, so that a prompt about something else makes nothing alike.
   */
  similarities(prompt: string): Float64Array {
    const { scores, covered, ceiling } = this.query(prompt)
    for (let i = 0; i < scores.length; i++)
      scores[i] = ceiling === 0 ? 0 : Math.min(1, Math.max(scores[i] ?? 0, covered[i] ?? 0) / ceiling)
    return scores
  }

  private query(prompt: string): {
    readonly scores: Float64Array
    /** Sum of the weights of the prompt's terms that a text holds. */
    readonly covered: Float64Array
    readonly ceiling: number
  } {
    const scores = new Float64Array(this.texts)
    const covered = new Float64Array(this.texts)
    const weights = new Float64Array(this.ids.size)
    let ceiling = 0
    for (const term of termsOf(prompt)) {
      const id = this.ids.get(term)
      const weight = this.rarity(id === undefined ? 1 : (this.holders[id] ?? 1))
      ceiling += weight
      if (id !== undefined) weights[id] = weight
    }
    const { terms, counts, ends, lengths } = this
    const average = Math.max(1, this.total / this.texts)
    let at = 0
    for (let text = 0; text < this.texts; text++) {
      const end = ends[text] as number
      const damping = K1 * (1 - B + (B * (lengths[text] as number)) / average)
      let sum = 0
      let held = 0
      for (; at < end; at++) {
        const weight = weights[terms[at] as number] as number
        if (weight === 0) continue
        const count = counts[at] as number
        held += weight
        sum += (weight * count * (K1 + 1)) / (count + damping)
      }
      scores[text] = sum
      covered[text] = held
    }
    return { scores, covered, ceiling }
  }

  private rarity(holders: number): number {
    return Math.log(1 + (this.texts - holders + 0.5) / (holders + 0.5))
  }

  private idOf(term: string): number {
    const known = this.ids.get(term)
    if (known !== undefined) return known
    const id = this.ids.size
    this.ids.set(term, id)
    this.holders = grown(this.holders, id)
    this.places = grown(this.places, id)
    return id
  }

  private note(id: number, start: number): void {
    const place = (this.places[id] as number) - 1
    if (place >= start) {
      // A count that would overflow has long been saturated.
      if ((this.counts[place] as number) < 0xffff) this.counts[place] = (this.counts[place] as number) + 1
      return
    }
    this.terms = grown(this.terms, this.used)
    this.counts = grown(this.counts, this.used)
    this.terms[this.used] = id
    this.counts[this.used] = 1
    this.used += 1
    this.places[id] = this.used
    this.holders[id] = (this.holders[id] as number) + 1
  }
}

/** The array, or one of twice its size with the same content when `index` would not fit. */
function grown<A extends Uint32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>>(array: A, index: number): A {
  if (index < array.length) return array
  const larger = (
    array instanceof Uint16Array ? new Uint16Array(array.length * 2) : new Uint32Array(array.length * 2)
  ) as A
  larger.set(array)
  return larger
}
