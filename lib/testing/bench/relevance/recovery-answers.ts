import { autoRecover } from '../../../agent/cold/auto-recover'
import { DEFAULT_POLICY } from '../../../core/policy/default-policy'
import type { ColdChunk } from '../../../engine/cold/cold-store'
import { ANY_CHUNK, ColdLibrary } from '../../../engine/cold/search-cold'
import { NO_LOG } from '../../../engine/logs/log-ports'
import type { RelevanceIdle } from './relevance-question-set'
import { type RelevanceQuestion, type RelevanceSession, squashed } from './relevance-sessions'

/** Candidates that are looked at. */
export const CANDIDATES = 5
/** Tokens for what comes back: not to decide here. */
const ROOM = 1_000_000
const NOW = Date.parse('2026-11-02T08:00:00Z')

/** What a question got: the place of the first right chunk among the candidates, from 0, and what came back. */
export type RecoveryAnswer = {
  readonly question: RelevanceQuestion
  /** −1: not among them. */
  readonly place: number
  readonly everywhere: number
  readonly came: boolean
  /** Chunks that came back, and how many of them have the answer. */
  readonly back: number
  readonly right: number
}

/** Sessions whose chunks have all been dropped, and what brings them back. */
export class Asking {
  private readonly library: ColdLibrary

  constructor(sessions: readonly RelevanceSession[]) {
    const chunks = sessions.flatMap(({ name, chunks }) =>
      chunks.map(({ text }, i) => coldChunk(name, i, text)),
    )
    const listing = { chunks, problems: [] }
    this.library = new ColdLibrary({ list: async () => listing }, () => NOW)
  }

  answers(questions: readonly RelevanceQuestion[]): Promise<RecoveryAnswer[]> {
    return Promise.all(
      questions.map(async (question) => {
        const { session, ask, answer } = question
        const isRight = ({ content, sessionId }: ColdChunk) =>
          sessionId === session && squashed(content).includes(answer)
        const own = await this.library.search(ask, { ...ANY_CHUNK, session }, CANDIDATES)
        const all = await this.library.search(ask, ANY_CHUNK, CANDIDATES)
        const back = await this.recovered(session, ask)
        const right = back.filter(isRight).length
        return {
          question,
          place: own.found.findIndex(({ chunk }) => isRight(chunk)),
          everywhere: all.found.findIndex(({ chunk }) => isRight(chunk)),
          came: right > 0,
          back: back.length,
          right,
        }
      }),
    )
  }

  woken(idle: readonly RelevanceIdle[]): Promise<{ readonly idle: RelevanceIdle; readonly came: boolean }[]> {
    return Promise.all(
      idle.map(async (one) => ({ idle: one, came: (await this.recovered(one.session, one.ask)).length > 0 })),
    )
  }

  async search(ask: string): Promise<void> {
    await this.library.search(ask, ANY_CHUNK, CANDIDATES)
  }

  /** What an agent whose context is otherwise empty gets back for a prompt. */
  private async recovered(session: string, prompt: string): Promise<ColdChunk[]> {
    const { recovered } = await autoRecover(
      {
        library: this.library,
        log: NO_LOG,
        sizeOf: (text) => Math.ceil(text.length / 4),
        embedding: null,
        mask: (text) => text,
      },
      { session, prompt, room: ROOM, isHeld: () => false, policy: DEFAULT_POLICY },
    )
    return recovered.map(({ chunk }) => chunk)
  }
}

function coldChunk(sessionId: string, number: number, content: string): ColdChunk {
  return {
    ...{ chunkId: `c${number}`, sessionId, content, file: '', at: NOW - 1, until: NOW + 1 },
    ...{ tokens: null, reason: 'low_relevance', score: null, prompt: null, place: null },
  }
}
