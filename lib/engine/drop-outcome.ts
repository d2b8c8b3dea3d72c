import type { DropPlan } from '../core/pruning/relevance-drop'
import type { StoredChunk } from './cold-store'

/** What a pass by relevance did to a conversation. */
export type DropOutcome = {
  /** What was decided of each chunk, with its score and the reason. */
  readonly plan: DropPlan
  /** What left the context, with the files that it stands in now. */
  readonly dropped: readonly StoredChunk[]
  /** So many chunks stayed in short. */
  readonly shortened: number
  /** What they had said, where there is cold storage. */
  readonly condensed: readonly StoredChunk[]
  /** Of the part of the conversation that was looked at, in tokens. */
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** It was the compaction of this call: no other one follows. */
  readonly compacted: boolean
  /** What the likeness to the prompt was worked out with: `bm25+hash`, or the id of an embedder. */
  readonly likenessBy: string
}
