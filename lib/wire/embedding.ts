import { openEmbedding } from '../adapters/embedders/open-embedding'
import type { Policy } from '../core/policy/policy'
import type { Embedding } from '../engine/score-context'
import type { Variables } from '../wire'

const known = new Map<string, Embedding | null>()

/**
 * The embedding model that a policy names; null when it names none. One for each model and address, so that vectors and
 * failures are remembered for as long as the process lives.
 */
export function embeddingOf(
  { relevance }: Pick<Policy, 'relevance'>,
  variables: Variables,
): Embedding | null {
  const { model, url, timeoutMs } = relevance.embedder
  const key = `${url} ${model} ${timeoutMs}`
  if (!known.has(key))
    known.set(
      key,
      openEmbedding({ relevance }, (variable) => variables[variable]),
    )
  return known.get(key) ?? null
}
