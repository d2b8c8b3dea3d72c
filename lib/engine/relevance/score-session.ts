import { contentOfNote } from '../../core/cold/place-back'
import type { Policy } from '../../core/policy/policy'
import type { ChunkMessage } from '../../core/pruning/context-chunks'
import { type DropPlan, relevanceDrop } from '../../core/pruning/relevance-drop'
import type { Milliseconds } from '../../core/units/units'
import { readMessages } from '../compaction/summary-material'
import type { ExplainedCall, InspectedSession } from '../read/inspect-session'
import type { StoreReader } from '../read/ports'
import { ContextScorer, type Embedding, type ScoredContext } from './score-context'

export type ScoreRequest = {
  readonly policy: Policy
  readonly embedding: Embedding | null
  readonly mask: (text: string) => string
  /** What the chunks are compared with; null: what the user asked last in this context. */
  readonly prompt: string | null
  /** Ages count from then on. Milliseconds since the epoch. */
  readonly now: Milliseconds
  readonly signal?: AbortSignal
}

export type ScoredSession = {
  readonly prompt: string
  readonly scored: ScoredContext
  /** What a compaction by relevance would do now, protections included. */
  readonly plan: DropPlan
}

/**
 * Scores what a stored session had in its window at a call, and says what the policy would do with it. Nothing is
 * written. null where there is nothing to compare it with.
 * @throws SourceProblem when entries are not where they were read
 */
export async function scoreSession(
  reader: StoreReader,
  session: InspectedSession,
  { entries }: ExplainedCall,
  { policy, embedding, mask, prompt, now, signal }: ScoreRequest,
): Promise<ScoredSession | null> {
  const sent = entries.filter(({ entry }) => entry.sent)
  const facts = sent.map(({ entry }) => entry.fact)
  const texts = await readMessages(reader, { session }, facts)
  const messages = sent.flatMap(({ entry: { fact }, tokens }): ChunkMessage[] => {
    const source = texts.get(fact.seq)
    if (source === undefined) return []
    const note = contentOfNote(source.text)
    const role = note === null ? source.role : 'other'
    return [{ ...source, role, text: note ?? source.text, tokens, at: fact.at, important: source.images > 0 }]
  })
  const question = prompt ?? messages.findLast(({ role }) => role === 'user')?.text ?? ''
  if (question.trim() === '' || messages.length === 0) return null
  const scorer = new ContextScorer({ policy, embedding, mask })
  const scored = await scorer.score(messages, question, now, signal)
  const plan = relevanceDrop({ chunks: scored.chunks, policy, pass: 'compact', now, room: null })
  return { prompt: question, scored, plan }
}
