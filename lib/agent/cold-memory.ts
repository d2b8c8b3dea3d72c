import { chunkOfNote, isNoteOf, recoveredText } from '../core/cold/place-back'
import { isExpired } from '../core/cold/retention'
import type { ContentMessage } from '../core/history/thinking'
import { type ContextChunk, contextChunks } from '../core/pruning/context-chunks'
import type { Tokens } from '../core/units/units'
import type { ColdChunk, StoredChunk } from '../engine/cold/cold-store'
import { archiveToCold, type DropResult, dropToCold, type Leaving } from '../engine/cold/drop-to-cold'
import { logRecovery, logUndoneRecovery } from '../engine/cold/log-recovery'
import { ANY_CHUNK } from '../engine/cold/search-cold'
import { NO_LOG } from '../engine/logs/log-ports'
import type { WriteRefusal } from '../engine/write/receipt'
import { contextMessage, contextMessages } from './context-message'
import type { LiveCold, LiveParts } from './live-parts'
import { rolledView } from './rolling-summary'

/** A chunk that is back in a context, as a note in the user's role. */
export type Recovered = { readonly chunk: ColdChunk; readonly tokens: Tokens; readonly score: number | null }

/** What became of bringing a dropped chunk back. */
export type LiveRecovery =
  | (Recovered & { readonly kind: 'recovered'; readonly warnings: readonly string[] })
  /** It is in the context already. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly refusal: WriteRefusal }

/** What became of taking a recovery back. */
export type UndoneRecovery =
  | {
      readonly kind: 'undone'
      readonly chunk: ColdChunk
      /** What the note took. */
      readonly tokens: Tokens
      /** Messages that came after the note and stay, other notes not counted. 0: it stood at the end. */
      readonly later: number
      readonly warnings: readonly string[]
    }
  | { readonly kind: 'refused'; readonly refusal: WriteRefusal }

/** What of a session that ended is in cold storage now. */
export type EndedSession =
  | { readonly kind: 'archived'; readonly chunks: readonly StoredChunk[] }
  | { readonly kind: 'refused'; readonly refusal: WriteRefusal }

/** By hand: a chunk by its id goes to the end of the context. */
export async function recoverLiveChunk<M extends ContentMessage>(
  parts: LiveParts<M>,
  { library, ports, cameBack }: LiveCold,
  chunkId: string,
): Promise<LiveRecovery> {
  const { agent, form, gauge } = parts
  const named = await library.named(chunkId)
  const chunk = named.find(({ sessionId }) => sessionId === agent.session) ?? named[0]
  if (chunk === undefined) return refused('missing', `Cold storage has no chunk ${chunkId}.`)
  if (chunk.until !== null && isExpired(chunk, ports.now()))
    return refused(
      'not-supported',
      `The chunk ${chunkId} could be brought back until ${new Date(chunk.until).toISOString()}.`,
    )
  const messages = await agent.getContext()
  if (messages.some((message, index) => contextMessage(form, message, index).text === chunk.content))
    return { kind: 'unchanged' }
  const note = form.fromText(recoveredText(chunk))
  await agent.setContext([...messages, note])
  gauge.forget()
  cameBack.add(chunk.chunkId)
  const cause = { trigger: 'manual', query: null, score: null } as const
  const problem = await logRecovery(agent.log ?? NO_LOG, chunk, cause, 'context')
  const warnings = problem === null ? [] : [problem]
  return { kind: 'recovered', chunk, tokens: gauge.sizeOf(note), score: null, warnings }
}

/** Chunks of a session that can be brought back; null when nobody can tell. */
export async function countLiveCold({ library }: LiveCold, session: string): Promise<number | null> {
  try {
    return (await library.search(null, { ...ANY_CHUNK, session }, 1)).matching
  } catch {
    return null
  }
}

/** Stores messages that have to leave because they do not fit, whatever their worth. */
export function storeCut<M extends ContentMessage>(
  parts: LiveParts<M>,
  { ports }: LiveCold,
  messages: readonly M[],
): Promise<DropResult> {
  const cause = { session: parts.agent.session, reason: CUT_REASON, score: null, prompt: null }
  const leaving = chunksOf(parts, messages).map((chunk) => leavingChunk(chunk, cause))
  return dropToCold(ports, leaving, parts.policy)
}

/** What the session holds when it ends, for a shorter time, under its own id. */
export async function archiveSession<M extends ContentMessage>(
  parts: LiveParts<M>,
  { ports }: LiveCold,
): Promise<EndedSession> {
  const { agent, policy } = parts
  const cause = { session: agent.session, reason: CUT_REASON, score: null, prompt: null }
  const leaving = chunksOf(parts, await agent.getContext()).map((chunk) => leavingChunk(chunk, cause))
  const done = await archiveToCold(ports, leaving, policy)
  return done.kind === 'stored' ? { kind: 'archived', chunks: done.chunks } : done
}

function chunksOf<M extends ContentMessage>({ form }: Pick<LiveParts<M>, 'form'>, messages: readonly M[]) {
  return contextChunks(contextMessages(form, messages))
}

function refused(code: WriteRefusal['code'], message: string) {
  return { kind: 'refused', refusal: { code, message } } as const
}

/**
 * Takes the note of a recovered chunk out of a context. A note is known by its whole text, which is that of the chunk in
 * cold storage: what only looks like one stays, and nothing leaves that is not kept there.
 */
export async function undoRecovery<M extends ContentMessage>(
  parts: LiveParts<M>,
  { library, ports, cameBack }: LiveCold,
  chunkId: string,
): Promise<UndoneRecovery> {
  const { agent, form, gauge, state } = parts
  const chunks = await library.named(chunkId)
  const { rolling } = await state.get()
  const messages = await agent.getContext()
  const texts = messages.map((message, index) => form.toSource(message, index)?.text ?? '')
  const chunkIn = (text: string) => chunks.find((one) => isNoteOf(text, one))
  const at = texts.findLastIndex((text) => chunkIn(text) !== undefined)
  const note = messages[at]
  const chunk = chunkIn(texts[at] ?? '')
  if (note === undefined || chunk === undefined)
    return refused(
      ...whyNot(
        chunkId,
        cameBack.has(chunkId),
        texts.some((text) => chunkOfNote(text) === chunkId),
      ),
    )
  if (at < (rolledView(messages, rolling, form).rolling?.covered ?? 0))
    return refused(
      'changed',
      `A rolling summary speaks for the note of the chunk ${chunkId} already: it stays.`,
    )
  await agent.setContext([...messages.slice(0, at), ...messages.slice(at + 1)])
  gauge.forget()
  cameBack.delete(chunkId)
  const problem = await logUndoneRecovery(agent.log ?? NO_LOG, chunk)
  const warnings = problem === null ? [] : [problem]
  if (isExpired(chunk, ports.now()))
    warnings.push(
      `The chunk ${chunkId} has expired meanwhile and cannot be brought back, unless it is extended.`,
    )
  const later = texts.slice(at + 1).filter((text) => chunkOfNote(text) === null).length
  return { kind: 'undone', chunk, tokens: gauge.sizeOf(note), later, warnings }
}

function whyNot(
  chunkId: string,
  cameBack: boolean,
  isNamed: boolean,
): [code: WriteRefusal['code'], message: string] {
  if (isNamed)
    return [
      'missing',
      `Cold storage does not have what the note of the chunk ${chunkId} holds: it stays, as taking it out would lose it.`,
    ]
  if (cameBack)
    return [
      'changed',
      `The note of the chunk ${chunkId} is not in the context any more: a compaction, a drop or the hard line has taken it.`,
    ]
  return ['missing', `The context has no note of a chunk ${chunkId}: there is nothing to take back.`]
}

/** Why a chunk whose short form stays is in cold storage. */
export const CONDENSED_REASON = 'condensed'
/** Why a chunk that nobody scored had to go: the context stood above its hard line. */
const CUT_REASON = 'hard_limit'

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
