import type { Milliseconds } from '../../core/units/units'
import type { Embedder } from '../../engine/relevance/embedder'
import { keyHeaders } from '../summarizers/http-json'
import { OLLAMA_URL } from '../summarizers/ollama'
import { httpEmbedder } from './http-embedder'
import { EMBED_TIMEOUT_MS } from './read-vectors'

/** An embedding model that Ollama serves: `POST /api/embed`. */
export function ollamaEmbedder(options: {
  readonly model: string
  readonly url?: string
  readonly timeoutMs?: Milliseconds
  readonly key?: string | null
}): Embedder {
  const { model, url = OLLAMA_URL, timeoutMs = EMBED_TIMEOUT_MS, key = null } = options
  return httpEmbedder({
    ...{ name: `ollama/${model}`, url, path: '/api/embed', headers: keyHeaders(key), timeoutMs },
    body: (input) => ({ model, input }),
    vectors: ({ embeddings }) => (Array.isArray(embeddings) ? embeddings : []),
  })
}
