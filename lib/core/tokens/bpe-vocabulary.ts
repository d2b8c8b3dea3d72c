/** Encodings that can be counted exactly; the vocabularies come with js-tiktoken. */
export type Encoding = 'o200k_base' | 'cl100k_base'

/** Awaited between small pieces of work, for callers that have to stay responsive; what it throws ends the work. */
export type Pause = () => Promise<void> | void

/** A vocabulary: how a text is split, and the rank of every token by its bytes, one character each. */
export type Vocabulary = { readonly pattern: string; readonly ranks: ReadonlyMap<string, number> }

/** A vocabulary as js-tiktoken ships it. */
type ShippedVocabulary = { readonly pat_str: string; readonly bpe_ranks: string }

/** Tokens that are decoded between two pauses: about two milliseconds. */
const STEP = 8_192

const LOADERS: { readonly [E in Encoding]: () => Promise<{ readonly default: ShippedVocabulary }> } = {
  o200k_base: () => import('js-tiktoken/ranks/o200k_base'),
  cl100k_base: () => import('js-tiktoken/ranks/cl100k_base'),
}

const loaded = new Map<Encoding, Vocabulary>()

/** Loads a vocabulary once: a quarter of a second and 20 to 30 MB each. */
export async function loadVocabulary(encoding: Encoding, pause?: Pause): Promise<Vocabulary> {
  const known = loaded.get(encoding)
  if (known !== undefined) return known
  const { default: shipped } = await LOADERS[encoding]()
  const vocabulary = await readVocabulary(shipped, pause)
  loaded.set(encoding, vocabulary)
  return vocabulary
}

/** Lines of `! FIRST TOKEN TOKEN …`: tokens in base64, ranked from FIRST on. */
async function readVocabulary(
  { pat_str: pattern, bpe_ranks: text }: ShippedVocabulary,
  pause?: Pause,
): Promise<Vocabulary> {
  const ranks = new Map<string, number>()
  for (const line of text.split('\n')) {
    const words = line.split(' ')
    const first = Number(words[1])
    for (let i = 2; i < words.length; i++) {
      ranks.set(atob(words[i] ?? ''), first + i - 2)
      if (i % STEP === 0) await pause?.()
    }
  }
  return { pattern, ranks }
}
