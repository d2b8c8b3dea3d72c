import { isObject, numberOf } from '../../core/transcript/json'
import type { Milliseconds } from '../../core/units/units'
import type { Embedder } from '../../engine/relevance/embedder'
import { keyHeaders } from '../summarizers/http-json'
import { httpEmbedder } from './http-embedder'
import { EMBED_TIMEOUT_MS } from './read-vectors'

/** An embedding model behind `POST {url}/embeddings`. A user's server may need no key. */
export function openAiEmbedder(options: {
  readonly provider: string
  readonly model: string
  readonly url: string
  readonly key: string | null
  readonly timeoutMs?: Milliseconds
  readonly withheld?: string | null
}): Embedder {
  const { provider, model, url, key, timeoutMs = EMBED_TIMEOUT_MS, withheld } = options
  return httpEmbedder({
    ...{
      name: `${provider}/${model}`,
      url,
      path: '/embeddings',
      headers: keyHeaders(key),
      timeoutMs,
      withheld,
    },
    body: (input) => ({ model, input, encoding_format: 'float' }),
    vectors: ({ data }) => (Array.isArray(data) ? inOrder(data) : []),
  })
}

/** The vectors by the index that each one names: an answer may come in any order. */
function inOrder(data: readonly unknown[]): unknown[] {
  const rows = data.map((row, place) =>
    isObject(row)
      ? { index: numberOf(row.index) ?? place, vector: row.embedding }
      : { index: place, vector: null },
  )
  return rows.sort((a, b) => a.index - b.index).map(({ vector }) => vector)
}
