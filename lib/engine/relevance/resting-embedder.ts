import type { Clock } from '../read/ports'
import type { Embedder, EmbedReply } from './embedder'

/** How long an embedder that failed is not asked again. Milliseconds. */
const EMBEDDER_REST_MS = 60_000

/** An embedder that is left in peace for a while after a failure: each turn would wait for it otherwise. */
export function restingEmbedder(embedder: Embedder, clock: Clock, restMs = EMBEDDER_REST_MS): Embedder {
  let failure: { readonly reply: Extract<EmbedReply, { ok: false }>; readonly until: number } | null = null
  return {
    id: embedder.id,
    deterministic: embedder.deterministic,
    embed: async (texts, signal) => {
      if (failure !== null && clock.now() < failure.until) return failure.reply
      const reply = await embedder.embed(texts, signal)
      // A stop of the job is no error.
      const failed = !reply.ok && reply.fault !== 'aborted'
      failure = failed ? { reply, until: clock.now() + restMs } : null
      return reply
    },
  }
}
