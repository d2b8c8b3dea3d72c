import type { EmbedReply } from '../../engine/relevance/embedder'

/** Longer texts are cut: services refuse what their model cannot read, and a beginning tells what it is about. */
const MAX_TEXT = 8_000

/** How long an answer is waited for by default. */
export const EMBED_TIMEOUT_MS = 10_000

export function cutTexts(texts: readonly string[]): string[] {
  // A service may refuse the empty text.
  return texts.map((text) => text.slice(0, MAX_TEXT) || ' ')
}

/** Checks the vectors of an answer: one for each text, numbers only, all of one length. */
export function readVectors(name: string, lists: readonly unknown[], expected: number): EmbedReply {
  const bad = (what: string): EmbedReply => ({
    ok: false,
    fault: 'bad-answer',
    message: `${name} answered with ${what}.`,
  })
  if (lists.length !== expected) return bad(`${lists.length} vectors for ${expected} texts`)
  const vectors: Float32Array[] = []
  for (const list of lists) {
    if (!Array.isArray(list) || list.length === 0 || !list.every(Number.isFinite))
      return bad('something else than a list of numbers')
    vectors.push(Float32Array.from(list as number[]))
  }
  const length = vectors[0]?.length ?? 0
  if (vectors.some((vector) => vector.length !== length)) return bad('vectors of different lengths')
  return { ok: true, vectors }
}
