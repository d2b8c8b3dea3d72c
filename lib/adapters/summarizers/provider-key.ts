import { ANTHROPIC_URL } from './anthropic'
import { OPENAI_COMPATIBLE_URLS } from './openai-compatible'

/** Names of the environment variables that hold a provider's key, first found wins. */
export const KEY_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  openrouter: ['OPENROUTER_API_KEY'],
  minimax: ['MINIMAX_API_KEY'],
  groq: ['GROQ_API_KEY'],
  mistral: ['MISTRAL_API_KEY'],
  deepseek: ['DEEPSEEK_API_KEY'],
  xai: ['XAI_API_KEY'],
  google: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  cerebras: ['CEREBRAS_API_KEY'],
  zai: ['ZAI_API_KEY'],
  moonshot: ['MOONSHOT_API_KEY'],
}

/** Value of an environment variable. */
export type KeyOf = (variable: string) => string | undefined

/** A key that may go to one more address than its provider's own: only to this scheme, host and port. */
export type PairedKey = { readonly variable: string; readonly origin: string }

/** Where keys come from, and where else than to their providers they may go. */
export type Keys = { readonly keyOf: KeyOf; readonly paired?: readonly PairedKey[] }

export type ProviderKey = {
  /** null: none is set, or none may go to this address. */
  readonly key: string | null
  /** Why a refusal may be due to a missing key: the provider's key is set and was not sent. Else null. */
  readonly withheld: string | null
}

/** A provider's own address; undefined where it is not known. */
export function providerAddress(provider: string): string | undefined {
  if (provider === 'anthropic') return ANTHROPIC_URL
  return Object.hasOwn(OPENAI_COMPATIBLE_URLS, provider) ? OPENAI_COMPATIBLE_URLS[provider] : undefined
}

/**
 * The key that goes to an address: the one that is paired with it, else at the provider's own host the provider's. A
 * key goes nowhere else, whatever model is asked there.
 */
export function providerKey(provider: string, address: string, { keyOf, paired = [] }: Keys): ProviderKey {
  const origin = originOf(address)
  for (const { variable, origin: named } of paired) {
    const value = keyOf(variable)
    if (named === origin && value) return { key: value, withheld: null }
  }
  const variables = Object.hasOwn(KEY_VARIABLES, provider) ? (KEY_VARIABLES[provider] ?? []) : []
  const variable = variables.find((name) => keyOf(name))
  if (variable === undefined) return { key: null, withheld: null }
  const own = providerAddress(provider)
  if (own !== undefined && originOf(own) === origin) return { key: keyOf(variable) ?? null, withheld: null }
  const withheld = `${variable} was not sent, since ${origin ?? 'this address'} is not ${provider}’s own host. If it may have it, put "keys: [{ env: ${variable}, url: ${origin ?? 'its address'} }]" into your settings.`
  return { key: null, withheld }
}

function originOf(address: string): string | null {
  try {
    return new URL(address).origin
  } catch {
    return null
  }
}
