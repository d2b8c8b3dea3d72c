import type { Summarizer } from '../../engine/summarizer'
import { anthropicSummarizer } from './anthropic'
import { failed } from './http-json'
import { ollamaSummarizer } from './ollama'
import { OPENAI_COMPATIBLE_URLS, openAiSummarizer } from './openai-compatible'

/** Names of the environment variables that hold a provider's key, first found wins (U5). */
export const KEY_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  openrouter: ['OPENROUTER_API_KEY'],
  minimax: ['MINIMAX_API_KEY'],
  groq: ['GROQ_API_KEY'],
  mistral: ['MISTRAL_API_KEY'],
  deepseek: ['DEEPSEEK_API_KEY'],
  xai: ['XAI_API_KEY'],
}

export type SummarizerChoice = {
  /** `provider/model`; a name without a provider is a model of the server at `url`, else of Ollama. */
  readonly model: string
  /** Address of the service; '' for the provider's own. */
  readonly url: string
  /** Key by the name of its variable. */
  readonly keyOf: (variable: string) => string | undefined
}

/**
 * The summarising model that a policy names. One that cannot work (no key, no address) is a summariser too: it says
 * what is missing whenever it is asked, so that the chain goes on and the operator reads why.
 */
export function chooseSummarizer({ model, url, keyOf }: SummarizerChoice): Summarizer | null {
  if (model === '') return null
  const slash = model.indexOf('/')
  const provider = slash < 0 ? (url === '' ? 'ollama' : 'server') : model.slice(0, slash).toLowerCase()
  const id = slash < 0 ? model : model.slice(slash + 1)
  if (provider === 'ollama') return ollamaSummarizer({ model: id, ...(url === '' ? {} : { url }) })
  const variables = KEY_VARIABLES[provider] ?? []
  const key = variables.map(keyOf).find((value) => value !== undefined && value !== '') ?? null
  if (provider === 'anthropic') {
    if (key === null) return withoutKey(model, variables)
    return anthropicSummarizer({ model: id, key, ...(url === '' ? {} : { url }) })
  }
  const address = url === '' ? OPENAI_COMPATIBLE_URLS[provider] : url
  if (address === undefined)
    return broken(
      model,
      `Plimsoll does not know where ${provider} answers; put its address into summary.url.`,
    )
  // A server of one's own may want no key; a public one always does.
  if (key === null && url === '') return withoutKey(model, variables)
  return openAiSummarizer({ provider, model: id, url: address, key })
}

/**
 * The model that a session itself runs on, as the one that is asked when the chosen one fails (U2); null where it could
 * not be asked without further settings: its provider is unknown, or its key is not set.
 * @param model `provider/model`, as the session names it
 */
export function mainSummarizer(
  model: string | null,
  keyOf: (variable: string) => string | undefined,
): Summarizer | null {
  const provider = model === null || !model.includes('/') ? '' : (model.split('/')[0] ?? '').toLowerCase()
  if (model === null || !Object.hasOwn(KEY_VARIABLES, provider)) return null
  const hasKey = KEY_VARIABLES[provider]?.some((variable) => (keyOf(variable) ?? '') !== '')
  return hasKey ? chooseSummarizer({ model, url: '', keyOf }) : null
}

function withoutKey(name: string, variables: readonly string[]): Summarizer {
  return broken(name, `${name} needs a key: set ${variables.join(' or ')}.`)
}

function broken(name: string, message: string): Summarizer {
  return { name, summarize: async () => failed('no-key', message) }
}
