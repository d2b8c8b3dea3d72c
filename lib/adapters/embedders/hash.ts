import { HashedVectors, VECTOR_DIMENSIONS } from '../../core/relevance/hashed-vectors'
import type { Embedder } from '../../engine/relevance/embedder'

/** Hashed pieces of words and names: no model, no service, the same everywhere. */
export function hashEmbedder(dimensions = VECTOR_DIMENSIONS): Embedder {
  const hashing = new HashedVectors(dimensions)
  return {
    id: `hash/${dimensions}`,
    deterministic: true,
    embed: async (texts) => ({ ok: true, vectors: texts.map((text) => hashing.vectorOf(text)) }),
  }
}
