import type { Window } from '../../core/budget/window'
import type { Tokens } from '../../core/units/units'
import { formatCount } from '../text/format'

/**
 * The window that a plan works in, and why it is that one: what the model sees counts, also where its runtime believes in
 * a larger one.
 * @param window of the plan
 * @param known what is known of the window of the session at that call
 * @param runtime what the runtime is called
 */
export function planWindowWords(window: Tokens, known: Window, runtime: string): string {
  const tokens = `${formatCount(window)} tokens`
  if (known.source === 'cut') {
    const belief = known.believed?.tokens ?? window
    const cut = `${tokens}, to which the provider cuts prompts`
    return belief === window ? cut : `${cut}; ${runtime} reckons with ${formatCount(belief)}`
  }
  return window === known.tokens ? tokens : `${tokens}, which the draft names`
}
