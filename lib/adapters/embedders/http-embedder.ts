import type { JsonObject } from '../../core/transcript/json'
import type { Milliseconds } from '../../core/units/units'
import type { Embedder } from '../../engine/relevance/embedder'
import { type JsonService, postTo } from '../summarizers/http-json'
import { cutTexts, readVectors } from './read-vectors'

/** A service that embeds texts: where it is, how it is asked, and where its vectors are in the answer. */
type EmbedService = JsonService & {
  readonly timeoutMs: Milliseconds
  readonly body: (texts: readonly string[]) => object
  /** In the order of the texts. */
  readonly vectors: (answer: JsonObject) => readonly unknown[]
}

/** A model behind a service that answers one POST with the vectors of all texts. */
export function httpEmbedder(service: EmbedService): Embedder {
  const { name, url, timeoutMs } = service
  return {
    id: `${name}@${url}`,
    deterministic: false,
    embed: async (texts, signal) => {
      const answer = await postTo(service, { body: service.body(cutTexts(texts)), timeoutMs, signal })
      return answer.ok ? readVectors(name, service.vectors(answer.body), texts.length) : answer
    },
  }
}
