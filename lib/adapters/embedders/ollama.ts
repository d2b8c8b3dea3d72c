import type { Embedder } from '../../engine/embedder'
import { postJson } from '../summarizers/http-json'
import { OLLAMA_URL } from '../summarizers/ollama'
import { cutTexts, EMBED_TIMEOUT_MS, readVectors } from './read-vectors'

/** An embedding model that Ollama serves: `POST /api/embed`. */
export function ollamaEmbedder(options: {
  readonly model: string
  readonly url?: string
  readonly timeoutMs?: number
}): Embedder {
  const { model, url = OLLAMA_URL, timeoutMs = EMBED_TIMEOUT_MS } = options
  const name = `ollama/${model}`
  return {
    id: `${name}@${url}`,
    deterministic: false,
    embed: async (texts, signal) => {
      const answer = await postJson({
        name,
        url: `${url.replace(/\/+$/, '')}/api/embed`,
        headers: {},
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
