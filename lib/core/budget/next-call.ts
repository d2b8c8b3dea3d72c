import type { Figure } from '../tokens/figure'
import type { Tokens } from '../units/units'

/**
 * Whether the next call can be made: `fits`; `past-line`: the line at which its runtime acts first is passed;
 * `will-not-fit`: its prompt is larger than the window.
 */
export type NextState = 'fits' | 'past-line' | 'will-not-fit'

/**
 * @param prompt of the next call, in tokens
 * @param line the first at which something acts automatically, in tokens; null when there is none
 * @returns null when the size of the prompt is unknown
 */
export function nextState(prompt: Figure, window: Tokens, line: number | null): NextState | null {
  if (prompt.value === null) return null
  if (prompt.value > window) return 'will-not-fit'
  return line !== null && prompt.value >= line ? 'past-line' : 'fits'
}
