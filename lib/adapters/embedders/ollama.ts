import type { Milliseconds } from '../../core/units/units'
import type { Embedder } from '../../engine/relevance/embedder'
import { postJson } from '../summarizers/http-json'
import { OLLAMA_URL } from '../summarizers/ollama'
import { cutTexts, EMBED_TIMEOUT_MS, readVectors } from './read-vectors'

/** An embedding model that Ollama serves: `POST /api/embed`. */
export function ollamaEmbedder(options: {
  readonly model: string
  readonly url?: string
  readonly timeoutMs?: Milliseconds
  readonly key?: string | null
}): Embedder {
  const { model, url = OLLAMA_URL, timeoutMs = EMBED_TIMEOUT_MS, key = null } = options
  const name = `ollama/${model}`
  return {
    id: `${name}@${url}`,
    deterministic: false,
    embed: async (texts, signal) => {
      const answer = await postJson({
        name,
        url: `${url.replace(/\/+$/, '')}/api/embed`,
        headers: key === null ? {} : { authorization: `Bearer ${key}` },
        body: { model, input: cutTexts(texts) },
        timeoutMs,
        signal,
      })
      if (!answer.ok) return answer
      const { embeddings } = answer.body
      return readVectors(name, Array.isArray(embeddings) ? embeddings : [], texts.length)
    },
  }
}
