import { VectorList } from '../../core/relevance/vector-list'
import { reasonOf } from '../../core/words/reason-of'
import type { Embedder, EmbedReply } from './embedder'
import type { EmbeddingCache } from './embedding-cache'

/** Texts in one request to a service. */
const BATCH = 16

export type LikenessOptions = {
  /** null: words and hashed vectors alone, without any service. */
  readonly embedder: Embedder | null
  readonly cache: EmbeddingCache
  /** Texts go to a service without what must not leave the machine. */
  readonly mask: (text: string) => string
  /** Ends the wait for all requests together; each has its own time limit besides. */
  readonly signal?: AbortSignal
}

export type PromptLikeness = {
  /** For each chunk, 0 … 1. */
  readonly similarity: Float64Array
  /** What the figures were made with: the embedder's id, or our own way. */
  readonly by: string
  /** For the operator: why it was not the embedder that was asked for; null when it was. */
  readonly note: string | null
}

/** What says how alike its texts and a prompt are without a service. */
type OwnLikeness = {
  /** Its name, where it is not by words and hashed vectors. */
  readonly by?: string
  likeness(prompt: string): { readonly similarity: Float64Array }
}

/** The name of likeness by words and hashed vectors, as logs and receipts give it. */
export const OWN_LIKENESS = 'bm25+hash'

/**
 * How much each text is like a prompt: by an embedder where there is one, else by our own means. When the
 * embedder fails for any text, all figures are our own: those of different origin cannot be compared.
 * @param index of the same texts, in their order
 */
export async function promptLikeness(
  index: OwnLikeness,
  texts: readonly string[],
  prompt: string,
  options: LikenessOptions,
): Promise<PromptLikeness> {
  const own = (note: string | null): PromptLikeness => ({
    similarity: index.likeness(prompt).similarity,
    by: index.by ?? OWN_LIKENESS,
    note,
  })
  const { embedder } = options
  if (embedder === null || texts.length === 0) return own(null)
  const reply = await embedCached(embedder, [prompt, ...texts].map(options.mask), options).catch(
    (error: unknown): EmbedReply => {
      return { ok: false, fault: 'bad-answer', message: `${embedder.id} failed: ${reasonOf(error)}` }
    },
  )
  if (!reply.ok) {
    const why = reply.fault === 'aborted' ? `${embedder.id} was stopped.` : reply.message
    return own(`${why.replace(/[^.!?]$/, '$&.')} Likeness was worked out without it.`)
  }
  const [query, ...vectors] = reply.vectors
  if (query === undefined || vectors.some(({ length }) => length !== query.length))
    return own(`${embedder.id} gave vectors of different lengths. Likeness was worked out without it.`)
  const list = new VectorList(query.length, vectors.length)
  for (const vector of vectors) list.add(vector)
  const similarity = list.cosines(query).map((cosine) => Math.max(0, cosine))
  return { similarity, by: embedder.id, note: null }
}

/** Vectors of texts, asking the embedder only for those that it has not seen. */
async function embedCached(
  embedder: Embedder,
  texts: readonly string[],
  { cache, signal }: Pick<LikenessOptions, 'cache' | 'signal'>,
): Promise<EmbedReply> {
  const keys = texts.map((text) => cache.keyOf(embedder.id, text))
  const found = new Map<string, Float32Array>()
  const missing = new Map<string, string>()
  for (const [i, key] of keys.entries()) {
    const vector = cache.get(key)
    if (vector === undefined) missing.set(key, texts[i] ?? '')
    else found.set(key, vector)
  }
  const wanted = [...missing]
  for (let at = 0; at < wanted.length; at += BATCH) {
    const batch = wanted.slice(at, at + BATCH)
    const reply = await embedder.embed(
      batch.map(([, text]) => text),
      signal,
    )
    if (!reply.ok) return reply
    for (const [i, [key]] of batch.entries()) {
      const vector = reply.vectors[i]
      if (vector === undefined)
        return { ok: false, fault: 'bad-answer', message: `${embedder.id} gave too few vectors.` }
      cache.set(key, vector)
      found.set(key, vector)
    }
  }
  return { ok: true, vectors: keys.flatMap((key) => found.get(key) ?? []) }
}
