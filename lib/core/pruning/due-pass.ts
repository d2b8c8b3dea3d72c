import { linesReached } from '../budget/load-lines'
import type { Policy } from '../policy/policy'
import type { Figure } from '../tokens/figure'
import type { Tokens } from '../units/units'
import type { DropInput } from './relevance-drop'

/** Where in a turn is asked: before a request is made, or after its answer has come. */
export type TurnMoment = 'before' | 'after'

/**
 * The pass over the chunks that is due at this fill; null for none. Before a request that is compaction, from its line
 * or the hard line on; after an answer curation, from its line on, so that a context that nears the
 * compaction line is tidied while no answer is waited for.
 * @param incomingTokens what the request adds to the fill
 */
export function duePass(
  policy: Policy,
  window: Tokens,
  moment: TurnMoment,
  fill: Figure,
  incomingTokens = 0,
): DropInput['pass'] | null {
  const reached = linesReached(policy, window, fill, incomingTokens).lines.map(({ kind }) => kind)
  if (moment === 'after') return reached.includes('curate') ? 'curate' : null
  return reached.includes('compact') || reached.includes('hard') ? 'compact' : null
}
