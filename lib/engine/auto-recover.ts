import { wantedBy, withinRoom } from '../core/cold/choose-recovery'
import { recoveredText } from '../core/cold/place-back'
import type { Policy } from '../core/policy/policy'
import type { ColdChunk } from './cold-store'
import type { ContextLog } from './log-ports'
import { logRecovery } from './log-recovery'
import { ANY_CHUNK, type ColdFinder } from './search-cold'

/** Chunks that share words with a prompt and are looked at closely. */
const MOST_CANDIDATES = 200

export type AutoRecoverPorts = {
  readonly library: Pick<ColdFinder, 'search'>
  readonly log: ContextLog
  readonly sizeOf: (text: string) => number
}

export type AutoRecoverRequest = {
  readonly session: string
  readonly prompt: string
  /** Tokens that may be added to the context. */
  readonly room: number
  /** Whether a chunk is in the context already. */
  readonly isHeld: (chunk: ColdChunk) => boolean
  readonly policy: Pick<Policy, 'relevance' | 'coldStorage'>
}

/** A chunk that belongs back into the context, as the text of a user-role note. */
export type AutoRecovered = {
  readonly chunk: ColdChunk
  readonly text: string
  readonly score: number
  /** Of the note. */
  readonly tokens: number
}

export type AutoRecovery = {
  /** Most relevant first. */
  readonly recovered: readonly AutoRecovered[]
  /** Relevant chunks for which there was no room. */
  readonly tooLarge: number
  /** What went wrong with the log. */
  readonly notes: readonly string[]
}

/**
 * Finds what the present prompt needs of what its session had dropped, as far as the room goes, and logs it (I5, I7).
 * Putting the notes into the context is left to whoever holds it.
 */
export async function autoRecover(
  { library, log, sizeOf }: AutoRecoverPorts,
  { session, prompt, room, isHeld, policy }: AutoRecoverRequest,
): Promise<AutoRecovery> {
  if (!policy.coldStorage.enabled || room <= 0) return { recovered: [], tooLarge: 0, notes: [] }
  const { found } = await library.search(prompt, { ...ANY_CHUNK, session }, MOST_CANDIDATES)
  // What was dropped twice, is there twice.
  const seen = new Set<string>()
  const candidates = found.flatMap(({ chunk }) => {
    if (seen.has(chunk.content)) return []
    seen.add(chunk.content)
    return [asNote(chunk, sizeOf)]
  })
  const wanted = wantedBy({ candidates, prompt, policy, sizeOf })
  const choice = withinRoom(
    wanted.filter(({ chunk }) => !isHeld(chunk.chunk)),
    room,
  )
  const notes: string[] = []
  for (const { chunk, score } of choice.chosen) {
    const cause = { trigger: 'relevance', query: prompt, score } as const
    const problem = await logRecovery(log, chunk.chunk, cause, 'context')
    if (problem !== null) notes.push(problem)
  }
  const recovered = choice.chosen.map(({ chunk, score, tokens }) => ({
    chunk: chunk.chunk,
    text: chunk.text,
    score,
    tokens,
  }))
  return { recovered, tooLarge: choice.tooLarge.length, notes }
}

/** What counts against the room is the note, not what stood there before. */
function asNote(chunk: ColdChunk, sizeOf: (text: string) => number) {
  const text = recoveredText(chunk)
  return { chunk, text, content: chunk.content, tokens: sizeOf(text) }
}
