import { openEmbedding } from '../../adapters/embedders/open-embedding'
import type { Policy } from '../../core/policy/policy'
import type { Embedding } from '../../engine/relevance/score-context'
import type { WithKeys } from '../compaction'
import type { Variables } from '../open'

const known = new Map<string, Embedding | null>()

/**
 * The embedding model that a policy names; null when it names none. One for each model and address, so that vectors and
 * failures are remembered for as long as the process lives.
 */
export function embeddingOf(
  { relevance }: Pick<Policy, 'relevance'>,
  { settings }: WithKeys,
  variables: Variables,
): Embedding | null {
  const { model, url, timeoutMs } = relevance.embedder
  const key = JSON.stringify([url, model, timeoutMs, settings.keys])
  if (!known.has(key))
    known.set(
      key,
      openEmbedding({ relevance }, (variable) => variables[variable], settings.keys),
    )
  return known.get(key) ?? null
}
