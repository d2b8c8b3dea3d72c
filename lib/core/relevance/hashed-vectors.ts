import { scanSpans } from './spans'

/** Dimensions of a vector; a power of two. */
export const VECTOR_DIMENSIONS = 512

/** Features are distinguished by so many bits; the lowest ones name the dimension, the highest one the sign. */
const FEATURES = 1 << 16
const SIGN = 1 << 15
/** Longer texts are examined from both ends only, in characters: pieces of words say the same again and again. */
const MAX_TEXT = 20_000
/** A span counts as much as so many pieces of words. */
const SPAN_COUNT = 3
const [BASIS, PRIME] = [0x811c9dc5, 0x01000193]

/** How many of the texts hold each feature; null means nothing known, all features alike. */
export type FeatureRarity = Float32Array | null

/**
 * Turns texts into vectors without a model (lib/docs/relevance.md#scorers): the pieces of three to five characters of
 * each word and its spans, by signed FNV-1a into a fixed number of dimensions, weighted by log count × rarity. The same
 * text with the same rarity gives the same vector everywhere.
 */
export class HashedVectors {
  private readonly counts = new Uint16Array(FEATURES)
  private readonly touched = new Uint32Array(FEATURES)
  private used = 0

  constructor(
    readonly dimensions = VECTOR_DIMENSIONS,
    private readonly rarity: FeatureRarity = null,
  ) {}

  /** The vector of a text, of length 1; all zeros for a text without words. */
  vectorOf(text: string): Float32Array {
    const vector = new Float32Array(this.dimensions)
    this.countFeatures(text)
    let square = 0
    for (let i = 0; i < this.used; i++) {
      const feature = this.touched[i] as number
      const weight = (1 + Math.log(this.counts[feature] as number)) * (this.rarity?.[feature] ?? 1)
      const dimension = feature & (this.dimensions - 1)
      vector[dimension] = (vector[dimension] as number) + (feature & SIGN ? -weight : weight)
    }
    this.clear()
    for (const value of vector) square += value * value
    if (square > 0)
      for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] as number) / Math.sqrt(square)
    return vector
  }

  /** Adds one to the count of each feature that the text has. */
  countInto(holders: Uint32Array, text: string): void {
    this.countFeatures(text)
    for (let i = 0; i < this.used; i++) {
      const feature = this.touched[i] as number
      holders[feature] = (holders[feature] as number) + 1
    }
    this.clear()
  }

  private countFeatures(text: string): void {
    const seen =
      text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT / 2)}\n${text.slice(-MAX_TEXT / 2)}`
    for (const [word] of seen.toLowerCase().matchAll(WORD)) this.countPieces(word)
    scanSpans(seen, ({ text: span }) => {
      let hash = BASIS
      for (let i = 0; i < span.length; i++) hash = step(hash, span.charCodeAt(i))
      for (let i = 0; i < SPAN_COUNT; i++) this.count(hash)
    })
  }

  /** Pieces of three, four and five characters of a word between two marks for its ends. */
  private countPieces(word: string): void {
    const marked = `\u0001${word}\u0001`
    const { length } = marked
    for (let start = 0; start + 2 < length; start++) {
      let hash = step(BASIS, marked.charCodeAt(start))
      hash = step(hash, marked.charCodeAt(start + 1))
      hash = step(hash, marked.charCodeAt(start + 2))
      this.count(hash)
      const end = Math.min(length, start + 5)
      for (let at = start + 3; at < end; at++) {
        hash = step(hash, marked.charCodeAt(at))
        this.count(hash)
      }
    }
  }

  private count(hash: number): void {
    const feature = (hash ^ (hash >>> 16)) & (FEATURES - 1)
    const count = this.counts[feature] as number
    if (count === 0) this.touched[this.used++] = feature
    // Never too many for its array: a text has fewer pieces than characters, and spans three.
    this.counts[feature] = count + 1
  }

  private clear(): void {
    for (let i = 0; i < this.used; i++) this.counts[this.touched[i] as number] = 0
    this.used = 0
  }
}

/** More texts than these tell nothing new about what is rare. */
const MOST_COUNTED = 1000

/**
 * How telling each feature is among these texts: ln(1 + texts / texts that have it). Of many, an even sample counts.
 */
export function featureRarity(texts: readonly string[]): Float32Array {
  const holders = new Uint32Array(FEATURES)
  const counter = new HashedVectors()
  const stride = Math.max(1, texts.length / MOST_COUNTED)
  let total = 0
  for (let at = 0; at < texts.length; at += stride) {
    counter.countInto(holders, texts[Math.floor(at)] ?? '')
    total += 1
  }
  // Most features are in no text at all.
  const rarity = new Float32Array(FEATURES).fill(Math.log(1 + (total + 1)))
  for (let feature = 0; feature < FEATURES; feature++) {
    const count = holders[feature] as number
    if (count > 0) rarity[feature] = Math.log(1 + (total + 1) / (count + 1))
  }
  return rarity
}

function step(hash: number, code: number): number {
  return Math.imul(hash ^ code, PRIME)
}

const WORD = /[\p{L}\p{N}]+/gu
