import type { JsonObject } from '../../core/transcript/json'
import type { Embedder } from '../../engine/relevance/embedder'
import { addressOf, type JsonRequest, postJson } from '../summarizers/http-json'
import { cutTexts, readVectors } from './read-vectors'

/** A service that embeds texts: where it is, how it is asked, and where its vectors are in the answer. */
type EmbedService = Pick<JsonRequest, 'name' | 'headers' | 'timeoutMs' | 'withheld'> & {
  /** Without the path of the request. */
  readonly url: string
  readonly path: string
  readonly body: (texts: readonly string[]) => object
  /** In the order of the texts. */
  readonly vectors: (answer: JsonObject) => readonly unknown[]
}

/** A model behind a service that answers one POST with the vectors of all texts. */
export function httpEmbedder(service: EmbedService): Embedder {
  const { name, url, path, headers, timeoutMs, withheld } = service
  return {
    id: `${name}@${url}`,
    deterministic: false,
    embed: async (texts, signal) => {
      const body = service.body(cutTexts(texts))
      const answer = await postJson({
        name,
        url: addressOf(url, path),
        headers,
        body,
        timeoutMs,
        signal,
        withheld,
      })
      return answer.ok ? readVectors(name, service.vectors(answer.body), texts.length) : answer
    },
  }
}
