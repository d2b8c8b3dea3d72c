import type { Policy } from '../policy/policy'
import type { Tokens } from '../units/units'

/** A chunk that a prompt calls for, and its likeness to it, 0 … 1. */
export type WantedChunk<C> = { readonly chunk: C; readonly score: number }

/** The same with what it takes in tokens. */
export type Wanted<C> = WantedChunk<C> & { readonly tokens: Tokens }

export type RecoveryChoice<C> = {
  /** Most relevant first. */
  readonly chosen: readonly Wanted<C>[]
  /** Relevant, but without room. */
  readonly tooLarge: readonly Wanted<C>[]
}

export type RecoveryInput<C> = {
  readonly candidates: readonly C[]
  /** Likeness of each candidate to the prompt, 0 … 1. */
  readonly similarity: ArrayLike<number>
  readonly policy: Pick<Policy, 'relevance'>
}

/**
 * What a prompt brings back automatically, whether there is room or not: chunks whose likeness alone, with its weight,
 * lifts them above the cut-off. Back in the context they are young again, so that the next prompt does not drop them at
 * once. The most relevant come first.
 */
export function wantedBy<C>({ candidates, similarity, policy }: RecoveryInput<C>): WantedChunk<C>[] {
  const { cutoff, similarityWeight, similarityFloor } = policy.relevance
  return candidates
    .map((chunk, i) => ({ chunk, score: similarity[i] ?? 0 }))
    .filter(({ score }) => score >= similarityFloor && score * similarityWeight > cutoff)
    .toSorted((a, b) => b.score - a.score)
}

/** As much of it as there is room for. @param tokens that may be added to the context */
export function withinRoom<C>(wanted: readonly Wanted<C>[], tokens: Tokens): RecoveryChoice<C> {
  const chosen: Wanted<C>[] = []
  const tooLarge: Wanted<C>[] = []
  let room = tokens
  for (const one of wanted) {
    if (one.tokens > room) tooLarge.push(one)
    else {
      chosen.push(one)
      room -= one.tokens
    }
  }
  return { chosen, tooLarge }
}
