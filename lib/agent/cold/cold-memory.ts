import { chunkOfNote, isNoteOf, recoveredText } from '../../core/cold/place-back'
import { isExpired } from '../../core/cold/retention'
import type { ContentMessage } from '../../core/history/thinking'
import type { Tokens } from '../../core/units/units'
import { reasonOf } from '../../core/words/reason-of'
import type { ColdChunk, StoredChunk } from '../../engine/cold/cold-store'
import { archiveToCold, type Leaving } from '../../engine/cold/drop-to-cold'
import { logRecovery, logUndoneRecovery } from '../../engine/cold/log-recovery'
import { ANY_CHUNK, type ColdFinder } from '../../engine/cold/search-cold'
import { NO_LOG } from '../../engine/logs/log-ports'
import type { WriteRefusal } from '../../engine/write/receipt'
import { contextMessage } from '../context-message'
import type { LiveCold, LiveParts } from '../live-parts'
import { rolledView } from '../rolling-summary'
import { CUT_REASON, leavingChunks } from './keep-copies'

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
      /** Messages that came after the note and stay, other notes not counted. 0: it was at the end. */
      readonly later: number
      readonly warnings: readonly string[]
    }
  | { readonly kind: 'refused'; readonly refusal: WriteRefusal }

/** What of a session that ended is in cold storage now. */
export type EndedSession =
  | { readonly kind: 'archived'; readonly chunks: readonly StoredChunk[] }
  | { readonly kind: 'refused'; readonly refusal: WriteRefusal }

/** Without a store there is nothing to bring back, and nowhere to keep anything. */
export const NO_COLD = {
  kind: 'refused',
  refusal: {
    code: 'not-supported',
    message: 'This agent has no cold storage: give it `cold` when it is made.',
  },
} as const

/** By hand: a chunk by its id goes to the end of the context. */
export async function recoverLiveChunk<M extends ContentMessage>(
  parts: LiveParts<M>,
  { library, ports, cameBack }: LiveCold,
  chunkId: string,
): Promise<LiveRecovery> {
  const { agent, form, gauge } = parts
  const named = await namedIn(library, chunkId)
  if (typeof named === 'string') return refused('failed', named)
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
  const problem = await notReplaced(agent, [...messages, note])
  if (problem !== null) return refused('failed', problem)
  gauge.forget()
  cameBack.add(chunk.chunkId)
  const cause = { trigger: 'manual', query: null, score: null } as const
  const unlogged = await logRecovery(agent.log ?? NO_LOG, chunk, cause, 'context')
  const warnings = unlogged === null ? [] : [unlogged]
  return { kind: 'recovered', chunk, tokens: gauge.sizeOf(note), score: null, warnings }
}

/** Chunks of a session that can be brought back; null when unknown. */
export async function countLiveCold({ library }: LiveCold, session: string): Promise<number | null> {
  try {
    return (await library.search(null, { ...ANY_CHUNK, session }, 1)).matching
  } catch {
    return null
  }
}

/** What the session holds when it ends, for a shorter time, under its own id. */
export async function archiveSession<M extends ContentMessage>(
  parts: LiveParts<M>,
  { ports }: LiveCold,
): Promise<EndedSession> {
  const { agent, policy, form } = parts
  const cause = { session: agent.session, reason: CUT_REASON, score: null, prompt: null }
  const messages = await agent.getContext()
  let leaving: readonly Leaving[]
  try {
    leaving = leavingChunks(form, messages, cause)
  } catch (error) {
    return refused('not-supported', `A message cannot be written to cold storage: ${reasonOf(error)}`)
  }
  const done = await archiveToCold(ports, leaving, policy)
  return done.kind === 'stored' ? { kind: 'archived', chunks: done.chunks } : done
}

/** A text says why cold storage cannot be read. */
async function namedIn(
  library: Pick<ColdFinder, 'named'>,
  chunkId: string,
): Promise<readonly ColdChunk[] | string> {
  try {
    return await library.named(chunkId)
  } catch (error) {
    return `Cold storage cannot be read: ${reasonOf(error)}`
  }
}

/** Puts another conversation in the place of the agent's. Answers why the agent did not take it, or null. */
export async function notReplaced<M extends ContentMessage>(
  { setContext }: Pick<LiveParts<M>['agent'], 'setContext'>,
  messages: readonly M[],
): Promise<string | null> {
  try {
    await setContext(messages)
    return null
  } catch (error) {
    return `The agent did not take the conversation: ${reasonOf(error)}`
  }
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
  const chunks = await namedIn(library, chunkId)
  if (typeof chunks === 'string') return refused('failed', chunks)
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
  const unchanged = await notReplaced(agent, [...messages.slice(0, at), ...messages.slice(at + 1)])
  if (unchanged !== null) return refused('failed', unchanged)
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
