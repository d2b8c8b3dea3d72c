import type { Embedder } from '../../engine/embedder'
import { KEY_VARIABLES } from '../summarizers/choose-summarizer'
import { failed } from '../summarizers/http-json'
import { OPENAI_COMPATIBLE_URLS } from '../summarizers/openai-compatible'
import { hashEmbedder } from './hash'
import { ollamaEmbedder } from './ollama'
import { openAiEmbedder } from './openai-compatible'

export type EmbedderChoice = {
  /** `provider/model`; a name without a provider is a model of the server at `url`, else of Ollama. '' for none. */
  readonly model: string
  /** Address of the service; '' for the provider's own. */
  readonly url: string
  readonly timeoutMs: number
  /** Key by the name of its variable. */
  readonly keyOf: (variable: string) => string | undefined
}

/**
 * The embedding model that a policy names; null when it names none. One that cannot work (no key, no address) is an
 * embedder too: it says what is missing whenever it is asked, so that likeness is worked out without it and the operator
 * reads why.
 */
export function chooseEmbedder({ model, url, timeoutMs, keyOf }: EmbedderChoice): Embedder | null {
  if (model === '') return null
  const slash = model.indexOf('/')
  const provider = slash < 0 ? (url === '' ? 'ollama' : 'server') : model.slice(0, slash).toLowerCase()
  const id = slash < 0 ? model : model.slice(slash + 1)
  if (provider === 'hash') return hashEmbedder()
  const given = url === '' ? {} : { url }
  if (provider === 'ollama') return ollamaEmbedder({ model: id, timeoutMs, ...given })
  const variables = KEY_VARIABLES[provider] ?? []
  const key = variables.map(keyOf).find((value) => value !== undefined && value !== '') ?? null
  const address = url === '' ? OPENAI_COMPATIBLE_URLS[provider] : url
  if (address === undefined)
    return broken(
      model,
      `Plimsoll does not know where ${provider} answers; put its address into relevance.embedder.url.`,
    )
  // A server of one's own may want no key; a public one always does.
  if (key === null && url === '') return broken(model, `${model} needs a key: set ${variables.join(' or ')}.`)
  return openAiEmbedder({ provider, model: id, url: address, key, timeoutMs })
}

function broken(id: string, message: string): Embedder {
  return { id, deterministic: false, embed: async () => failed('no-key', message) }
}
