import type { Tokens } from '../units/units'
/**
 * A summary within so many tokens: whole lines from its beginning, and of the first one that does not fit as much
 * as does. @param sizeOf tokens of a text
 */
export function capSummary(text: string, maxTokens: Tokens, sizeOf: (text: string) => number): string {
  if (sizeOf(text) <= maxTokens) return text
  const lines = text.split('\n')
  const whole = longest(lines.length, (count) => sizeOf(lines.slice(0, count).join('\n')) <= maxTokens)
  if (whole > 0) return lines.slice(0, whole).join('\n').trimEnd()
  const [first = ''] = lines
  return first.slice(
    0,
    longest(first.length, (count) => sizeOf(first.slice(0, count)) <= maxTokens),
  )
}

/** The largest number up to `most` that fits, where everything below one that fits does so as well. */
function longest(most: number, fits: (count: number) => boolean): number {
  let [low, high] = [0, most]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  return low
}
