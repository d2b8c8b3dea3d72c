import { isObject, numberOf } from '../../core/transcript/json'
import type { Milliseconds } from '../../core/units/units'
import type { Embedder } from '../../engine/relevance/embedder'
import { postJson } from '../summarizers/http-json'
import { cutTexts, EMBED_TIMEOUT_MS, readVectors } from './read-vectors'

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
  const name = `${provider}/${model}`
  return {
    id: `${name}@${url}`,
    deterministic: false,
    embed: async (texts, signal) => {
      const answer = await postJson({
        name,
        url: `${url.replace(/\/+$/, '')}/embeddings`,
        headers: key === null ? {} : { authorization: `Bearer ${key}` },
        body: { model, input: cutTexts(texts), encoding_format: 'float' },
        timeoutMs,
        signal,
        withheld,
      })
      if (!answer.ok) return answer
      const { data } = answer.body
      return readVectors(name, Array.isArray(data) ? inOrder(data) : [], texts.length)
    },
  }
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
