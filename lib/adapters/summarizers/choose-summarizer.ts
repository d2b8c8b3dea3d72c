import type { Summarizer } from '../../engine/summary/summarizer'
import { anthropicSummarizer } from './anthropic'
import { failed } from './http-json'
import { OLLAMA_URL, ollamaSummarizer } from './ollama'
import { openAiSummarizer } from './openai-compatible'
import { KEY_VARIABLES, type Keys, providerAddress, providerKey } from './provider-key'

export type SummarizerChoice = Keys & {
  /** `provider/model`; a name without a provider is a model of the server at `url`, of Ollama at its own address. */
  readonly model: string
  /** Address of the service; '' for the provider's own. */
  readonly url: string
}

/**
 * The summarising model that a policy names. One that cannot work (no key, no address) is a summariser too: it says
 * what is missing whenever it is asked, so that the chain goes on and the operator reads why.
 */
export function chooseSummarizer({ model, url, ...keys }: SummarizerChoice): Summarizer | null {
  if (model === '') return null
  const slash = model.indexOf('/')
  const bare = url === '' || isOllamaAddress(url) ? 'ollama' : 'server'
  const provider = slash < 0 ? bare : model.slice(0, slash).toLowerCase()
  const id = slash < 0 ? model : model.slice(slash + 1)
  const address = url !== '' ? url : provider === 'ollama' ? OLLAMA_URL : providerAddress(provider)
  if (address === undefined)
    return broken(
      model,
      `Plimsoll does not know where ${provider} answers; put its address into summary.url.`,
    )
  const { key, withheld } = providerKey(provider, address, keys)
  if (provider === 'ollama') return ollamaSummarizer({ model: id, url: address, key })
  // A user's server may need no key; a public one always does.
  if (key === null && url === '') return withoutKey(model, KEY_VARIABLES[provider] ?? [])
  return provider === 'anthropic'
    ? anthropicSummarizer({ model: id, url: address, key, withheld })
    : openAiSummarizer({ provider, model: id, url: address, key, withheld })
}

/** Ollama's own address: its port, and no path to another interface behind it. */
function isOllamaAddress(url: string): boolean {
  try {
    const { port, pathname } = new URL(url)
    return port === OLLAMA_PORT && pathname === '/'
  } catch {
    return false
  }
}

const OLLAMA_PORT = new URL(OLLAMA_URL).port

/**
 * The model that a session itself runs on, at its provider's own address, as the one that is asked when none is chosen,
 * or the chosen one fails; null where it could not be asked without further settings: its provider is unknown, or its
 * key is not set.
 * @param model `provider/model`, as the session names it
 */
export function mainSummarizer(model: string | null, keys: Keys): Summarizer | null {
  const provider = model === null || !model.includes('/') ? '' : (model.split('/')[0] ?? '').toLowerCase()
  if (model === null || !Object.hasOwn(KEY_VARIABLES, provider)) return null
  const hasKey = KEY_VARIABLES[provider]?.some((variable) => (keys.keyOf(variable) ?? '') !== '')
  return hasKey ? chooseSummarizer({ model, url: '', ...keys }) : null
}

function withoutKey(name: string, variables: readonly string[]): Summarizer {
  return broken(name, `${name} needs a key: set ${variables.join(' or ')}.`)
}

function broken(name: string, message: string): Summarizer {
  return { name, summarize: async () => failed('no-key', message) }
}
