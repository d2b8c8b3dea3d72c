import type { Policy } from '../../core/policy/policy'
import {
  type ChunkMessage,
  type ContextChunk,
  contextChunks,
  scoreChunks,
  trackUse,
} from '../../core/pruning/context-chunks'
import type { DropChunk } from '../../core/pruning/drop-chunk'
import { ChunkIndex } from '../../core/relevance/chunk-index'
import type { Scorer } from '../../core/relevance/score'
import { scorerOf } from '../../core/relevance/scorer-of'
import type { Milliseconds } from '../../core/units/units'
import type { Embedder } from './embedder'
import type { EmbeddingCache } from './embedding-cache'
import { OWN_LIKENESS, promptLikeness } from './prompt-likeness'

export type ScoredChunk = DropChunk & ContextChunk

export type ScoredContext = {
  /** In the order of the context. */
  readonly chunks: readonly ScoredChunk[]
  readonly scorer: Scorer['name']
  /** See `PromptLikeness.by`. */
  readonly likenessBy: string
  /** Why it was not the embedder that the policy names; null when it was. */
  readonly note: string | null
}

/** A model that turns texts into vectors, and what is known of it already. */
export type Embedding = { readonly embedder: Embedder; readonly cache: EmbeddingCache }

/**
 * Scores the chunks of contexts against prompts; keep one per conversation: what is there is made ready only once.
 */
export class ContextScorer {
  private texts: readonly string[] = []
  private index = new ChunkIndex([])

  constructor(
    private readonly options: {
      readonly policy: Pick<Policy, 'relevance'>
      /** null: words and hashed vectors, without any service. */
      readonly embedding: Embedding | null
      /** Texts go to a service without what must not leave the machine. */
      readonly mask: (text: string) => string
    },
  ) {}

  /** @param now milliseconds since the epoch */
  async score(
    messages: readonly ChunkMessage[],
    prompt: string,
    now: Milliseconds,
    signal?: AbortSignal,
  ): Promise<ScoredContext> {
    const { policy, embedding, mask } = this.options
    const chunks = contextChunks(messages)
    const texts = chunks.map(({ text }) => text)
    const index = this.indexOf(texts)
    const likeness =
      embedding === null
        ? { similarity: index.likeness(prompt).similarity, by: OWN_LIKENESS, note: null }
        : await promptLikeness(index, texts, prompt, { ...embedding, mask, signal })
    const scorer = scorerOf(policy.relevance)
    const tracker = scorer.name === 'logistic' ? trackUse(chunks) : null
    const use = tracker?.signals(index.likeness(tracker.recentOutput).similarity) ?? null
    return {
      chunks: scoreChunks(chunks, scorer, { similarity: likeness.similarity, use, now }),
      scorer: scorer.name,
      likenessBy: likeness.by,
      note: likeness.note,
    }
  }

  /** A conversation that has only grown keeps its index; how rare words are is learnt anew when it has doubled. */
  private indexOf(texts: readonly string[]): ChunkIndex {
    const known = this.texts
    const grown = texts.length >= known.length && known.every((text, place) => text === texts[place])
    if (!grown || texts.length > this.learnt * 2) {
      this.index = new ChunkIndex(texts)
      this.learnt = texts.length
    } else for (const text of texts.slice(known.length)) this.index.add(text)
    this.texts = texts
    return this.index
  }

  /** How many texts the index has learnt from. */
  private learnt = 0
}
