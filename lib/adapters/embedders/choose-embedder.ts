import type { Milliseconds } from '../../core/units/units'
import type { Embedder } from '../../engine/relevance/embedder'
import { failed } from '../summarizers/http-json'
import { OLLAMA_URL } from '../summarizers/ollama'
import { KEY_VARIABLES, type Keys, providerAddress, providerKey } from '../summarizers/provider-key'
import { hashEmbedder } from './hash'
import { ollamaEmbedder } from './ollama'
import { openAiEmbedder } from './openai-compatible'

export type EmbedderChoice = Keys & {
  /** `provider/model`; a name without a provider is a model of the server at `url`, else of Ollama. '' for none. */
  readonly model: string
  /** Address of the service; '' for the provider's own. */
  readonly url: string
  readonly timeoutMs: Milliseconds
}

/**
 * The embedding model that a policy names; null when it names none. One that cannot work (no key, no address) is an
 * embedder too: it says what is missing whenever it is asked, so that likeness is worked out without it and the operator
 * reads why.
 */
export function chooseEmbedder({ model, url, timeoutMs, ...keys }: EmbedderChoice): Embedder | null {
  if (model === '') return null
  const slash = model.indexOf('/')
  const provider = slash < 0 ? (url === '' ? 'ollama' : 'server') : model.slice(0, slash).toLowerCase()
  const id = slash < 0 ? model : model.slice(slash + 1)
  if (provider === 'hash') return hashEmbedder()
  const address = url !== '' ? url : provider === 'ollama' ? OLLAMA_URL : providerAddress(provider)
  if (address === undefined)
    return broken(
      model,
      `Plimsoll does not know where ${provider} answers; put its address into relevance.embedder.url.`,
    )
  const { key, withheld } = providerKey(provider, address, keys)
  if (provider === 'ollama') return ollamaEmbedder({ model: id, url: address, timeoutMs, key })
  // A user's server may need no key; a public one always does.
  if (key === null && url === '')
    return broken(model, `${model} needs a key: set ${(KEY_VARIABLES[provider] ?? []).join(' or ')}.`)
  return openAiEmbedder({ provider, model: id, url: address, key, timeoutMs, withheld })
}

function broken(id: string, message: string): Embedder {
  return { id, deterministic: false, embed: async () => failed('no-key', message) }
}
