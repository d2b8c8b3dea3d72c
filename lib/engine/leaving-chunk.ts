import type { ContextChunk } from '../core/pruning/context-chunks'
import type { ColdChunk } from './cold-store'
import type { Leaving } from './drop-to-cold'

/** Why a chunk whose short form stays is in cold storage. */
export const CONDENSED_REASON = 'condensed'
/** Why a chunk that nobody scored had to go: the context stood above its hard line. */
export const CUT_REASON = 'hard_limit'

/** A chunk of a live context as cold storage keeps it. */
export function leavingChunk(
  { id, text, tokens }: Pick<ContextChunk, 'id' | 'text' | 'tokens'>,
  cause: {
    readonly session: string
    readonly reason: string
    readonly score: number | null
    readonly prompt: string | null
  },
): Leaving {
  const { session: sessionId, reason, score, prompt } = cause
  // A live conversation has no file that the chunk could go back into.
  return { chunkId: id, sessionId, content: text, tokens, reason, score, prompt, place: null }
}

/** What was stored for nothing, as the store takes it out again. */
export function asColdChunks(
  stored: readonly { readonly record: Omit<ColdChunk, 'file'>; readonly file: string }[],
): ColdChunk[] {
  return stored.map(({ record, file }) => ({ ...record, file }))
}
