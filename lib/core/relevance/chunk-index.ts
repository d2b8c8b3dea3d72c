import { Bm25Index } from './bm25'
import { featureRarity, HashedVectors } from './hashed-vectors'
import { VectorList } from './vector-list'

/** Likeness of a chunk to a prompt and where it comes from; each 0 … 1. */
export type Likeness = {
  /** For each chunk, in the order in which they were added: the higher of the two. */
  readonly similarity: Float64Array
  readonly words: Float64Array
  readonly vectors: Float64Array
}

/**
 * The texts of a context, made ready to be compared with any prompt without a service: words and names by BM25, and
 * spelling by hashed vectors, which finds inflected and compound words as well. How rare a piece of a word is, is
 * learnt from the texts that the index begins with; texts that come on later are taken as they are.
 */
export class ChunkIndex {
  private readonly words = new Bm25Index()
  private readonly hashing: HashedVectors
  private readonly vectors: VectorList

  constructor(texts: readonly string[]) {
    this.hashing = new HashedVectors(undefined, texts.length > 1 ? featureRarity(texts) : null)
    this.vectors = new VectorList(this.hashing.dimensions, Math.max(64, texts.length))
    for (const text of texts) this.add(text)
  }

  get size(): number {
    return this.words.size
  }

  /** Adds a text and returns its number, from 0. */
  add(text: string): number {
    this.vectors.add(this.hashing.vectorOf(text))
    return this.words.add(text)
  }

  /** Compares every text with a prompt. */
  likeness(prompt: string): Likeness {
    const words = this.words.similarities(prompt)
    const vectors = this.vectors.cosines(this.hashing.vectorOf(prompt)).map((cosine) => Math.max(0, cosine))
    return { similarity: words.map((value, i) => Math.max(value, vectors[i] ?? 0)), words, vectors }
  }
}
