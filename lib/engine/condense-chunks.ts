import type { Policy } from '../core/policy/policy'
import { condense } from '../core/pruning/condense'
import { capSummary } from '../core/summary/cap-summary'
import { readReply } from '../core/summary/model-reply'
import { chunkPrompt } from '../core/summary/prompts'
import type { SummaryChain } from './summary-chain'

/** A chunk of medium score that is to be said in short. */
export type LongChunk = {
  readonly id: string
  readonly text: string
  /** Where the whole text can be read again; '' where that is known anyway. */
  readonly locator: string
}

export type CondensedChunk = {
  readonly id: string
  /** At most the policy's target, or the whole text where nothing shorter came of it. */
  readonly text: string
  readonly source: 'model' | 'mechanical' | 'unchanged'
  /** Which model wrote it; null when none did. */
  readonly by: string | null
}

export type CondenseOutcome = {
  /** In the order of the chunks. */
  readonly chunks: readonly CondensedChunk[]
  /** Models that failed and why. */
  readonly notes: readonly string[]
}

export type CondenseChunkOptions = {
  readonly policy: Pick<Policy, 'summary' | 'compaction'>
  /** null: no model is asked. */
  readonly chain: SummaryChain | null
  readonly sizeOf: (text: string) => number
  readonly mask: (text: string) => string
  readonly signal?: AbortSignal
}

/**
 * Says chunks in short, one after the other (D19). A chunk for which no model gives a shorter text is shortened without
 * one, or stays as it is: nothing is lost and nothing waits for a model that is down (D20).
 */
export async function condenseChunks(
  chunks: readonly LongChunk[],
  options: CondenseChunkOptions,
): Promise<CondenseOutcome> {
  const notes = new Set<string>()
  const condensed: CondensedChunk[] = []
  let asking = options.chain !== null
  for (const chunk of chunks) {
    const reply = asking ? await byModel(chunk, options) : null
    for (const note of reply?.notes ?? []) notes.add(note)
    // Who was told to stop, or has no model that answers, asks no more for this pass.
    if (reply !== null && reply.given === null) asking = false
    condensed.push(reply?.given ?? withoutModel(chunk, options))
  }
  return { chunks: condensed, notes: [...notes] }
}

type ModelReply = {
  /** null when no model answered; what it answered may still be of no use. */
  readonly given: CondensedChunk | null
  readonly notes: readonly string[]
}

async function byModel(chunk: LongChunk, options: CondenseChunkOptions): Promise<ModelReply | null> {
  const { policy, chain, sizeOf, mask, signal } = options
  const maxTokens = policy.summary.targetTokens
  if (chain === null) return null
  const prompt = chunkPrompt(mask(chunk.text), maxTokens)
  const reply = await chain.ask({ prompt, maxTokens, signal }, policy)
  if (!reply.ok) return { given: null, notes: reply.notes }
  const read = readReply(reply.text)
  const shorter = read.ok && sizeOf(read.summary) < sizeOf(chunk.text)
  if (!shorter) {
    const why = read.ok ? 'The answer is no shorter than the text.' : read.message
    return { given: withoutModel(chunk, options), notes: [...reply.notes, `${reply.by}: ${why}`] }
  }
  const text = capSummary(read.summary, maxTokens, sizeOf)
  return { given: { id: chunk.id, text, source: 'model', by: reply.by }, notes: reply.notes }
}

function withoutModel(chunk: LongChunk, { policy, sizeOf }: CondenseChunkOptions): CondensedChunk {
  const { id, locator } = chunk
  const text = condense(chunk.text, { target: policy.summary.targetTokens, sizeOf, locator })
  return { id, text, source: text === chunk.text ? 'unchanged' : 'mechanical', by: null }
}
