import type { Policy } from '../../core/policy/policy'
import { EmbeddingCache } from '../../engine/embedding-cache'
import { restingEmbedder } from '../../engine/resting-embedder'
import type { Embedding } from '../../engine/score-context'
import { sha256 } from '../write/sha256'
import { chooseEmbedder } from './choose-embedder'

/**
 * The embedding model that a policy names, ready to be asked; null when it names none, and words and hashed vectors do.
 * Keep it: it remembers vectors by what they were made of, and which service failed.
 * @param keyOf value of an environment variable, for the keys of providers
 */
export function openEmbedding(
  { relevance }: Pick<Policy, 'relevance'>,
  keyOf: (variable: string) => string | undefined,
): Embedding | null {
  const embedder = chooseEmbedder({ ...relevance.embedder, keyOf })
  if (embedder === null) return null
  return { embedder: restingEmbedder(embedder, { now: Date.now }), cache: new EmbeddingCache(sha256) }
}
