import type { Policy } from '../core/policy/policy'
import type { ChunkMessage } from '../core/pruning/context-chunks'
import { condenseChunks } from './condense-chunks'
import type { MessageForm } from './live-compaction'
import type { ScoredChunk } from './score-context'
import type { SummaryChain } from './summary-chain'
import type { SummaryOptions } from './write-summary'

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
 * Says medium chunks in short (D19): of a call with its results the results, else the message itself. Order and pairs
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
