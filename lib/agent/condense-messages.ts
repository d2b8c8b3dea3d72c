import type { Policy } from '../core/policy/policy'
import { condense } from '../core/pruning/condense'
import type { ChunkMessage } from '../core/pruning/context-chunks'
import { capSummary } from '../core/summary/cap-summary'
import type { MessageForm } from '../core/summary/message-form'
import { readReply } from '../core/summary/model-reply'
import { chunkPrompt } from '../core/summary/prompts'
import type { ScoredChunk } from '../engine/relevance/score-context'
import type { SummaryChain } from '../engine/summary/summary-chain'
import type { SummaryOptions } from '../engine/summary/write-summary'

export type CondenseInput<M> = {
  readonly messages: readonly M[]
  /** The same messages as chunks are made of them. */
  readonly read: readonly ChunkMessage[]
  readonly chunks: readonly ScoredChunk[]
  readonly policy: Policy
  readonly form: MessageForm<M>
  readonly chain: SummaryChain | null
  readonly summary: Pick<SummaryOptions, 'sizeOf' | 'mask'>
  readonly signal?: AbortSignal
}

export type CondensedMessages<M> = {
  /** What takes the place of messages, by their place. */
  readonly replaced: ReadonlyMap<number, M>
  /** The chunks that are shorter now. */
  readonly chunks: readonly ScoredChunk[]
  readonly notes: readonly string[]
}

/**
 * Says medium chunks in short: of a call with its results the results, else the message itself. Order and pairs
 * stay; each says where its whole text is, as long as
 * there is cold storage. Agents that cannot make such messages keep them as they are.
 */
export async function condenseMessages<M>(input: CondenseInput<M>): Promise<CondensedMessages<M>> {
  const { messages, read, policy, form, summary, signal } = input
  const { withText } = form
  const replaced = new Map<number, M>()
  const condensed: ScoredChunk[] = []
  const notes = new Set<string>()
  let { chain } = input
  for (const chunk of withText === undefined ? [] : input.chunks) {
    const parts = longParts(chunk, read)
    const locator = policy.coldStorage.enabled ? `whole text in cold storage, chunk ${chunk.id}` : ''
    const note = `[summary of ${chunk.tokens} tokens${locator === '' ? '' : `; ${locator}`}]`
    const room = Math.floor(policy.summary.targetTokens / Math.max(1, parts.length)) - summary.sizeOf(note)
    if (room < LEAST_ROOM) continue
    const shorter = await condenseChunks(
      parts.map(({ place, text }) => ({ id: String(place), text, locator })),
      {
        policy: { ...policy, summary: { ...policy.summary, targetTokens: room } },
        chain,
        ...summary,
        signal,
      },
    )
    for (const each of shorter.notes) notes.add(each)
    // Who has no model that answers asks no more for this pass.
    if (chain !== null && shorter.chunks.length > 0 && shorter.chunks.every(({ by }) => by === null))
      chain = null
    let changed = false
    for (const { id, text, source } of shorter.chunks) {
      const message = messages[Number(id)]
      if (source === 'unchanged' || message === undefined || withText === undefined) continue
      replaced.set(Number(id), withText(message, source === 'model' ? `${note}\n${text}` : text))
      changed = true
    }
    if (changed) condensed.push(chunk)
  }
  return { replaced, chunks: condensed, notes: [...notes] }
}

/** Less room says nothing. Tokens. */
const LEAST_ROOM = 24

function longParts(chunk: ScoredChunk, read: readonly ChunkMessage[]): { place: number; text: string }[] {
  const parts = chunk.members.flatMap((place) => {
    const message = read[place]
    return message === undefined || message.text.trim() === ''
      ? []
      : [{ place, text: message.text, role: message.role }]
  })
  const results = parts.filter(({ role }) => role === 'toolResult')
  return results.length > 0 ? results : parts.slice(0, 1)
}

/** A chunk of medium score that is to be said in short. */
export type LongChunk = {
  readonly id: string
  readonly text: string
  /** Where the whole text can be read again; '' where that is known anyway. */
  readonly locator: string
}

type CondensedChunk = {
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
 * Says chunks in short, one after the other. A chunk for which no model gives a shorter text is shortened without
 * one, or stays as it is: nothing is lost and nothing waits for a model that is down.
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
    // A run that was stopped, or has no model that answers, asks no more for this pass.
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
