import type { SummarizerFault } from '../summary/summarizer'

export type EmbedReply =
  /** One vector for each text, in their order, all of one length. */
  | { readonly ok: true; readonly vectors: readonly Float32Array[] }
  | {
      readonly ok: false
      readonly fault: SummarizerFault
      /** For the operator: which service, what happened, what to do. Never holds a key. */
      readonly message: string
    }

/** What turns texts into vectors, so that those of like meaning lie close together. Never throws. */
export interface Embedder {
  /** Names model and origin. Vectors are compared with vectors of the same id only, and kept under it. */
  readonly id: string
  /** The same text gives the same vector at any time and place; figures made with others are no part of a replay. */
  readonly deterministic: boolean
  embed(texts: readonly string[], signal?: AbortSignal): Promise<EmbedReply>
}
