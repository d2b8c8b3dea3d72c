import { originalText } from '../../core/cold/original-text'
import { contentOfNote, NOTE_START } from '../../core/cold/place-back'
import { originalsOf } from '../../core/history/part-origin'
import type { ContentMessage } from '../../core/history/thinking'
import type { Policy } from '../../core/policy/policy'
import { type ContextChunk, contextChunks } from '../../core/pruning/context-chunks'
import type { MessageForm } from '../../core/summary/message-form'
import { blockKind, textOfBlock } from '../../core/transcript/blocks'
import { reasonOf } from '../../core/words/reason-of'
import type { ColdChunk, StoredChunk } from '../../engine/cold/cold-store'
import {
  type ColdPorts,
  type DropResult,
  dropToCold,
  dropToColdLater,
  type Leaving,
  takesLater,
} from '../../engine/cold/drop-to-cold'
import { contextMessages } from '../context-message'
import { copiedParts } from './copied-parts'

/** Why a chunk is in cold storage whose place a summary has taken. */
export const SUMMARISED_REASON = 'summarised'
/** Why a chunk is there that the agent's own way to curate took out. */
export const CURATED_REASON = 'curated'

/** Why a chunk is there that has no score and that had to go: the context was above its hard line. */
export const CUT_REASON = 'hard_limit'
/** Why a chunk is there whose short form stays. */
export const CONDENSED_REASON = 'condensed'

/** Where the copies of a conversation's messages go. */
export type CopyPlace<M extends ContentMessage> = {
  readonly session: string
  readonly form: MessageForm<M>
  readonly policy: Policy
  /** null: nothing is kept. */
  readonly ports: ColdPorts | null
}

/** What of a chunk's history cold storage notes. */
export type LeavingCause = {
  readonly session: string
  readonly reason: string
  readonly score: number | null
  readonly prompt: string | null
}

const NOTHING_KEPT: DropResult = { kind: 'stored', chunks: [] }

/**
 * Brings what leaves a conversation into cold storage first: its text, and the agent's own messages as they are. What
 * stays is known by its object. Summaries leave without a copy, since they were made of messages that have one.
 * @param copied what has its copy already
 * @returns refused: nothing may leave
 */
export async function keepCopies<M extends ContentMessage>(
  { session, form, policy, ports }: CopyPlace<M>,
  before: readonly M[],
  after: readonly M[],
  reason: string,
  copied: ReadonlySet<M> = new Set(),
): Promise<DropResult> {
  if (ports === null || !policy.coldStorage.enabled) return NOTHING_KEPT
  const stays = new Set(after)
  const leaving = before.filter((one) => !stays.has(one) && !copied.has(one) && !form.isSummary(one))
  if (leaving.length === 0) return NOTHING_KEPT
  const place = { session, form, policy, ports }
  const cause = { session, reason, score: null, prompt: null }
  return storeLater(place, leaving, cause) ?? storeMessages(place, leaving, cause)
}

/**
 * Holds copies of messages for a store that lasts no longer than they do; chunks with their texts and ids are made of
 * them when they are asked for, while the model works. null: they are to be stored now.
 */
function storeLater<M extends ContentMessage>(
  { form, policy, ports }: CopyPlace<M> & { readonly ports: ColdPorts },
  messages: readonly M[],
  cause: LeavingCause,
): DropResult | null {
  // Only of our own way to read messages it is known that it can wait.
  if (!takesLater(ports.store) || form.hasBlocks !== true) return null
  const copied = copiedParts(messages)
  if (copied === null) return null
  const tokens = messages.map((message) => form.tokensOf(message))
  const make = () => {
    const copies = copied()
    const sizes = new Map(copies.map((copy, at) => [copy, tokens[at]]))
    const tokensOf = (copy: M) => sizes.get(copy) ?? form.tokensOf(copy)
    return leavingChunks({ ...form, tokensOf }, copies, cause)
  }
  return dropToColdLater(ports, make, policy)
}

/** Stores messages in chunks, pairs whole: all of them, or none. */
async function storeMessages<M extends ContentMessage>(
  { form, policy, ports }: CopyPlace<M> & { readonly ports: ColdPorts },
  messages: readonly M[],
  cause: LeavingCause,
): Promise<DropResult> {
  let leaving: readonly Leaving[]
  try {
    leaving = leavingChunks(form, messages, cause)
  } catch (error) {
    const message = `A message cannot be written to cold storage: ${reasonOf(error)}. Nothing was dropped.`
    return { kind: 'refused', refusal: { code: 'not-supported', message } }
  }
  return dropToCold(ports, leaving, policy)
}

/** Messages as cold storage keeps them. @throws TypeError for a message that contains itself */
export function leavingChunks<M extends ContentMessage>(
  form: MessageForm<M>,
  messages: readonly M[],
  cause: LeavingCause,
): Leaving[] {
  const chunks = contextChunks(contextMessages(form, messages))
  return chunks.map((chunk) => leavingChunk(form, chunk, partsAt(messages, chunk), cause))
}

/** The messages that a chunk consists of. */
export function partsAt<M>(messages: readonly M[], { members }: Pick<ContextChunk, 'members'>): readonly M[] {
  const parts: M[] = []
  for (const place of members) {
    const part = messages[place]
    if (part !== undefined) parts.push(part)
  }
  return parts
}

/**
 * A chunk of a live context as cold storage keeps it.
 * @param parts that it consists of
 * @throws TypeError for a message that contains itself
 */
export function leavingChunk<M extends ContentMessage>(
  form: MessageForm<M>,
  { id, text, tokens }: Pick<ContextChunk, 'id' | 'text' | 'tokens'>,
  parts: readonly M[],
  { session: sessionId, reason, score, prompt }: LeavingCause,
): Leaving {
  const messages = isNote(form, parts) ? undefined : originalsOf(parts).map(originalText)
  // A live conversation has no file that the chunk could go back into.
  return messages === undefined
    ? { chunkId: id, sessionId, content: text, tokens, reason, score, prompt, place: null }
    : { chunkId: id, sessionId, content: text, tokens, reason, score, prompt, place: null, messages }
}

/** What a message says first; '' where that is no text. */
function firstText(content: unknown): string {
  const first: unknown = Array.isArray(content) ? content[0] : content
  return blockKind(first) === 'text' ? textOfBlock(first) : ''
}

/** What came back is a note that was made here; the messages that it was made of are where they were. */
function isNote<M extends ContentMessage>(form: MessageForm<M>, [part, ...more]: readonly M[]): boolean {
  if (part === undefined || more.length > 0) return false
  // Where the form is known, the first letters tell nearly always.
  if (form.hasBlocks === true && !firstText(part.content).startsWith(NOTE_START)) return false
  return contentOfNote(form.toSource(part, 0)?.text ?? '') !== null
}

/**
 * Takes copies out of cold storage of what is still in the context, so that it does not come back besides. Answers what
 * went wrong; a copy too many loses nothing.
 */
export async function takeCopiesBack(
  { store }: ColdPorts,
  stored: readonly StoredChunk[],
): Promise<readonly string[]> {
  if (stored.length === 0) return []
  try {
    await store.remove(asColdChunks(stored))
    // What had been stored before is there as it was.
    const earlier = stored.flatMap((chunk) => chunk.earlier ?? [])
    if (earlier.length > 0) await store.put(earlier)
    return []
  } catch (error) {
    const why = reasonOf(error)
    return [`${stored.length} chunks that did not leave the context are in cold storage all the same: ${why}`]
  }
}

function asColdChunks(stored: readonly StoredChunk[]): ColdChunk[] {
  return stored.map(({ record, file }) => ({ ...record, file }))
}
