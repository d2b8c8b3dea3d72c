import { recoveredText } from '../core/cold/place-back'
import { isExpired } from '../core/cold/retention'
import type { ContentMessage } from '../core/history/thinking'
import { contextChunks } from '../core/pruning/context-chunks'
import { autoRecover } from './auto-recover'
import type { ColdChunk, StoredChunk } from './cold-store'
import { contextMessage, contextMessages, promptOf } from './context-message'
import { archiveToCold, type ColdPorts, type DropResult, dropToCold } from './drop-to-cold'
import type { LadderParts } from './ladder-parts'
import { CUT_REASON, leavingChunk } from './leaving-chunk'
import { NO_LOG } from './log-ports'
import { logRecovery } from './log-recovery'
import type { Refusal } from './receipt'
import type { Embedding } from './score-context'
import { ANY_CHUNK, type ColdFinder } from './search-cold'
import { type UndoneRecovery, undoRecovery } from './undo-recovery'

/** A chunk that is back in a context, as a note in the user's role. */
export type Recovered = { readonly chunk: ColdChunk; readonly tokens: number; readonly score: number | null }

export type Recalled = {
  readonly recovered: readonly Recovered[]
  readonly warnings: readonly string[]
}

export type LiveRecovery =
  | (Recovered & { readonly kind: 'recovered'; readonly warnings: readonly string[] })
  /** It is in the context already. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/** What of a session that ended is in cold storage now. */
export type EndedSession =
  | { readonly kind: 'archived'; readonly chunks: readonly StoredChunk[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/** What a live agent's context gives to cold storage besides drops by relevance, and what comes back from there. */
export class ColdMemory<M extends ContentMessage> {
  /** What was looked for last: the same question brings nothing back twice. */
  private asked = ''
  /** Ids of what came back since this agent was opened. */
  private readonly cameBack = new Set<string>()

  constructor(
    private readonly ports: ColdPorts,
    private readonly library: ColdFinder,
    /** As it says how alike texts are when chunks are scored; null: words and hashed vectors do. */
    private readonly embedding: Embedding | null,
  ) {}

  /**
   * Brings back what the prompt that comes in needs of what was dropped (I5), as far as there is room, and logs it (I7).
   * @param room tokens that may be added
   */
  async recall(
    parts: LadderParts<M>,
    incoming: readonly M[],
    room: number,
    signal?: AbortSignal,
  ): Promise<Recalled> {
    const { agent, form, policy, gauge, summary } = parts
    const prompt = promptOf(form, [], incoming)
    if (prompt === '' || prompt === this.asked || !policy.coldStorage.enabled) return NOTHING
    this.asked = prompt
    const messages = await agent.getContext()
    let inContext: ReadonlySet<string> | null = null
    const textsOf = () => new Set(messages.map((message, index) => contextMessage(form, message, index).text))
    // Most questions find nothing, and then nobody has to read the whole conversation.
    const isHeld = ({ content }: ColdChunk) => {
      inContext ??= textsOf()
      return inContext.has(content)
    }
    const found = await autoRecover(
      {
        library: this.library,
        log: agent.log ?? NO_LOG,
        sizeOf: (text) => summary.sizeOf(text) + FRAME,
        embedding: this.embedding,
        mask: summary.mask,
      },
      { session: agent.session, prompt, room, isHeld, policy, signal },
    )
    if (found.recovered.length === 0) return { recovered: [], warnings: found.notes }
    try {
      await agent.setContext([
        ...(await agent.getContext()),
        ...found.recovered.map(({ text }) => form.fromText(text)),
      ])
    } catch (error) {
      // The same question asks for it again.
      this.asked = ''
      throw error
    }
    gauge.forget()
    for (const { chunk } of found.recovered) this.cameBack.add(chunk.chunkId)
    return { recovered: found.recovered, warnings: [...found.notes, ...(await found.settled())] }
  }

  /** By hand: a chunk by its id goes to the end of the context (I6). */
  async recover(parts: LadderParts<M>, chunkId: string): Promise<LiveRecovery> {
    const { agent, form, gauge } = parts
    const named = await this.library.named(chunkId)
    const chunk = named.find(({ sessionId }) => sessionId === agent.session) ?? named[0]
    if (chunk === undefined) return refused('missing', `Cold storage has no chunk ${chunkId}.`)
    if (chunk.until !== null && isExpired(chunk, this.ports.now()))
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
    this.cameBack.add(chunk.chunkId)
    const cause = { trigger: 'manual', query: null, score: null } as const
    const problem = await logRecovery(agent.log ?? NO_LOG, chunk, cause, 'context')
    const warnings = problem === null ? [] : [problem]
    return { kind: 'recovered', chunk, tokens: gauge.sizeOf(note), score: null, warnings }
  }

  /** Takes a chunk that came back, by itself or by hand, out of the context again. */
  async undo(parts: LadderParts<M>, chunkId: string): Promise<UndoneRecovery> {
    const chunks = await this.library.named(chunkId)
    const cameBack = this.cameBack.has(chunkId)
    const done = await undoRecovery(parts, { chunkId, chunks, cameBack, now: this.ports.now() })
    if (done.kind === 'undone') this.cameBack.delete(chunkId)
    return done
  }

  /** Chunks of a session that can be brought back; null when nobody can tell. */
  async count(session: string): Promise<number | null> {
    try {
      return (await this.library.search(null, { ...ANY_CHUNK, session }, 1)).matching
    } catch {
      return null
    }
  }

  /** Stores messages that have to leave because they do not fit, whatever their worth. */
  cut(parts: LadderParts<M>, messages: readonly M[]): Promise<DropResult> {
    const cause = { session: parts.agent.session, reason: CUT_REASON, score: null, prompt: null }
    const leaving = chunksOf(parts, messages).map((chunk) => leavingChunk(chunk, cause))
    return dropToCold(this.ports, leaving, parts.policy)
  }

  /** What the session holds when it ends, for a shorter time, under its own id (I8). */
  async archive(parts: LadderParts<M>): Promise<EndedSession> {
    const { agent, policy } = parts
    const cause = { session: agent.session, reason: CUT_REASON, score: null, prompt: null }
    const leaving = chunksOf(parts, await agent.getContext()).map((chunk) => leavingChunk(chunk, cause))
    const done = await archiveToCold(this.ports, leaving, policy)
    return done.kind === 'stored' ? { kind: 'archived', chunks: done.chunks } : done
  }
}

const NOTHING: Recalled = { recovered: [], warnings: [] }

/** What a message takes besides its text. Tokens. */
const FRAME = 8

function chunksOf<M extends ContentMessage>({ form }: Pick<LadderParts<M>, 'form'>, messages: readonly M[]) {
  return contextChunks(contextMessages(form, messages))
}

function refused(code: Refusal['code'], message: string): LiveRecovery {
  return { kind: 'refused', refusal: { code, message } }
}
