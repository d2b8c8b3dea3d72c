import type { Encoding } from './bpe-vocabulary'
import { priorFor } from './priors'

/** What a model's texts are counted with. */
export type ModelEncoding = {
  readonly encoding: Encoding
  /** Whether the encoding is the model's own by its maker's published tables. If not, a count is an estimate. */
  readonly own: boolean
  /** Tokens of the model's own per token of the encoding, as a rule; 1 when nothing else is known. */
  readonly factor: number
}

// The maker's tables (openai/tiktoken, model.py) name these models and prefixes; later ones are not named there.
const O200K = /^(gpt-4o|chatgpt-4o|gpt-4\.1|gpt-4\.5|gpt-5|o1|o3|o4-mini)(?:$|-)|^(ft:)?gpt-4o|^gpt-oss-/
const CL100K = /^(gpt-4|gpt-3\.5(-turbo)?|gpt-35-turbo)(?:$|-)|^ft:gpt-(4|3\.5-turbo)/

/** Which encoding a model is counted with, by its name with or without its provider's (`openai/gpt-5`). */
export function encodingOf(provider: string | null, model: string | null): ModelEncoding {
  const name = (model ?? '').toLowerCase().replace(/^.*\//, '')
  if (O200K.test(name)) return { encoding: 'o200k_base', own: true, factor: 1 }
  if (CL100K.test(name)) return { encoding: 'cl100k_base', own: true, factor: 1 }
  return { encoding: 'o200k_base', own: false, factor: priorFor(provider, model).factor }
}
