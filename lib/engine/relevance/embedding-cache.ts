import type { Hasher } from '../write/write-ports'

/** Vectors by what they were made of: SHA-256 of the embedder's id and the text. The ones not asked for longest go. */
export class EmbeddingCache {
  private readonly vectors = new Map<string, Float32Array>()
  private readonly encoder = new TextEncoder()

  /** @param most vectors that are kept; 10,000 of 1,024 dimensions take 40 MB */
  constructor(
    private readonly sha256: () => Hasher,
    private readonly most = 10_000,
  ) {}

  keyOf(id: string, text: string): string {
    const hasher = this.sha256()
    hasher.update(this.encoder.encode(`${id}|${text}`))
    return hasher.digest()
  }

  get(key: string): Float32Array | undefined {
    const vector = this.vectors.get(key)
    if (vector === undefined) return undefined
    this.vectors.delete(key)
    this.vectors.set(key, vector)
    return vector
  }

  set(key: string, vector: Float32Array): void {
    this.vectors.delete(key)
    this.vectors.set(key, vector)
    const [oldest] = this.vectors.keys()
    if (this.vectors.size > this.most && oldest !== undefined) this.vectors.delete(oldest)
  }
}
