import { KeywordIndex, wordsOf } from '../cold/search-index'
import { HashedVectors } from '../relevance/hashed-vectors'
import { termsOf } from '../relevance/tokenize'

/** A chunk that is like a prompt; likeness 0 … 1. */
export type Alike<Key> = { readonly key: Key; readonly score: number }

/** Chunks that share words with a prompt and are compared closely. */
const CANDIDATES = 200
/** Words of a prompt that say what it is about; longer prompts are examined from both ends. */
const MOST_WORDS = 60

/**
 * The vector of a text in bytes, as it is kept: made when a chunk is indexed, so that a recall computes one vector
 * only, that of the prompt, and asks no service. Deterministic: the same text gives the same bytes everywhere.
 */
export function recallVector(text: string): Int8Array {
  hashing ??= new HashedVectors()
  const vector = hashing.vectorOf(text)
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  return Int8Array.from(vector, (value) => (largest === 0 ? 0 : Math.round((value / largest) * 127)))
}

// Its work space is 768 kB; texts are hashed one after the other.
let hashing: HashedVectors | null = null

/** What vectors are made with: those of another make are never compared. */
export const RECALL_VECTORS = 'hash-512-1'

/**
 * Chunks of memory, to be compared with prompts. Words find candidates in time proportional to how often they occur;
 * the vectors of the candidates count as well, which rates other forms of a word. Chunks come and go one by one.
 */
export class RecallIndex<Key> {
  private readonly words = new KeywordIndex<Key>()
  private readonly vectors = new Map<Key, { readonly bytes: Int8Array; readonly length: number }>()

  get size(): number {
    return this.words.size
  }

  /** @param vector as `recallVector` makes it */
  add(key: Key, text: string, vector: Int8Array): void {
    this.remove(key)
    this.words.add(key, text)
    let square = 0
    for (const byte of vector) square += byte * byte
    this.vectors.set(key, { bytes: vector, length: Math.sqrt(square) })
  }

  remove(key: Key): void {
    this.words.remove(key)
    this.vectors.delete(key)
  }

  /** The chunks most like a prompt, best first. */
  search(prompt: string, limit: number, fits: (key: Key) => boolean = () => true): Alike<Key>[] {
    const words = queryWords(prompt)
    if (words.length === 0 || this.size === 0) return []
    const ceiling = words.reduce((sum, word) => sum + this.rarity(word), 0)
    const query = recallVector(prompt)
    let square = 0
    for (const byte of query) square += byte * byte
    const length = Math.sqrt(square)
    return this.words
      .search(words.join(' '), Math.max(CANDIDATES, limit), fits)
      .map(({ key, score }) => ({
        key,
        score: Math.min(1, Math.max(score / ceiling, this.cosine(key, query, length))),
      }))
      .toSorted((a, b) => b.score - a.score)
      .slice(0, limit)
  }

  private cosine(key: Key, query: Int8Array, queryLength: number): number {
    const vector = this.vectors.get(key)
    if (vector === undefined || vector.length === 0 || queryLength === 0) return 0
    const { bytes, length } = vector
    let sum = 0
    for (let i = 0; i < bytes.length; i++) sum += (bytes[i] as number) * (query[i] as number)
    return Math.max(0, sum / (length * queryLength))
  }

  /** A word that no chunk holds counts as the rarest, so that a prompt about something else makes nothing alike. */
  private rarity(word: string): number {
    const holders = Math.max(1, this.words.holders(word))
    return Math.log(1 + (this.size - Math.min(holders, this.size) + 0.5) / (holders + 0.5))
  }
}

/** The words of a prompt without those that say nothing. */
function queryWords(prompt: string): string[] {
  const words = [...new Set([...termsOf(prompt)].flatMap((term) => [...wordsOf(term)]))]
  if (words.length <= MOST_WORDS) return words
  return [...words.slice(0, MOST_WORDS / 2), ...words.slice(-MOST_WORDS / 2)]
}
