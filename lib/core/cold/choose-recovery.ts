import type { Policy } from '../policy/policy'
import { ChunkIndex } from '../relevance/chunk-index'
import type { ColdRecord } from './record'

/** A chunk that a prompt calls for: its likeness to it, 0 … 1, and what it takes in tokens. */
export type Wanted<C> = { readonly chunk: C; readonly score: number; readonly tokens: number }

export type RecoveryChoice<C> = {
  /** Most relevant first. */
  readonly chosen: readonly Wanted<C>[]
  /** Relevant, but without room. */
  readonly tooLarge: readonly Wanted<C>[]
}

export type RecoveryInput<C> = {
  readonly candidates: readonly C[]
  readonly prompt: string
  /** Tokens that may be added to the context. */
  readonly room: number
  readonly policy: Pick<Policy, 'relevance'>
  readonly sizeOf: (text: string) => number
}

/**
 * Chooses what a prompt brings back by itself (I5): chunks whose likeness alone, with its weight, lifts them above the
 * cut-off. Back in the context they are young again, so that the next prompt does not drop them at once. The most
 * relevant come first, as far as the room goes.
 */
export function chooseRecovery<C extends Pick<ColdRecord, 'content' | 'tokens'>>(
  input: RecoveryInput<C>,
): RecoveryChoice<C> {
  const { candidates, prompt, policy, sizeOf } = input
  const { cutoff, similarityWeight, similarityFloor } = policy.relevance
  const { similarity } = new ChunkIndex(candidates.map(({ content }) => content)).likeness(prompt)
  const wanted = candidates
    .map((chunk, i) => ({
      chunk,
      score: similarity[i] ?? 0,
      tokens: chunk.tokens ?? sizeOf(chunk.content),
    }))
    .filter(({ score }) => score >= similarityFloor && score * similarityWeight > cutoff)
    .toSorted((a, b) => b.score - a.score)
  const chosen: Wanted<C>[] = []
  const tooLarge: Wanted<C>[] = []
  let room = input.room
  for (const one of wanted) {
    if (one.tokens > room) tooLarge.push(one)
    else {
      chosen.push(one)
      room -= one.tokens
    }
  }
  return { chosen, tooLarge }
}
