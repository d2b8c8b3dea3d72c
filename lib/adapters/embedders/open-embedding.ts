import type { Policy } from '../../core/policy/policy'
import { EmbeddingCache } from '../../engine/relevance/embedding-cache'
import { restingEmbedder } from '../../engine/relevance/resting-embedder'
import type { Embedding } from '../../engine/relevance/score-context'
import type { KeyOf, PairedKey } from '../summarizers/provider-key'
import { sha256 } from '../write/sha256'
import { chooseEmbedder } from './choose-embedder'

/**
 * The embedding model that a policy names, ready to be asked; null when it names none, and words and hashed vectors do.
 * Keep it: it remembers vectors by what they were made of, and which service failed.
 * @param keyOf value of an environment variable, for the keys of providers; each goes to its provider's own host only
 * @param paired keys that may go to other addresses as well
 *
 * @example
 * ```ts
 * import { DEFAULT_POLICY, openEmbedding } from 'plimsoll-agent'
 *
 * const embedding = openEmbedding(DEFAULT_POLICY, (name) => process.env[name])
 * ```
 */
export function openEmbedding(
  { relevance }: Pick<Policy, 'relevance'>,
  keyOf: KeyOf,
  paired: readonly PairedKey[] = [],
): Embedding | null {
  const embedder = chooseEmbedder({ ...relevance.embedder, keyOf, paired })
  if (embedder === null) return null
  return { embedder: restingEmbedder(embedder, { now: Date.now }), cache: new EmbeddingCache(sha256) }
}
