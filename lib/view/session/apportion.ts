import type { Tokens } from '../../core/units/units'
/**
 * Divides a whole number of tokens in proportion to `weights`, so that the parts add up to it exactly: what rounding
 * down leaves over goes to the largest remainders, earlier parts first. All zero when there is nothing to weigh by.
 */
export function apportion(tokens: Tokens, weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + Math.max(0, weight), 0)
  if (sum <= 0) return weights.map(() => 0)
  const exact = weights.map((weight) => (tokens * Math.max(0, weight)) / sum)
  const parts = exact.map(Math.floor)
  let left = tokens - parts.reduce((total, part) => total + part, 0)
  const order = exact
    .map((value, index) => ({ index, rest: value - Math.floor(value) }))
    .sort((a, b) => b.rest - a.rest || a.index - b.index)
  for (const { index } of order) {
    if (left <= 0) break
    parts[index] = (parts[index] ?? 0) + 1
    left -= 1
  }
  return parts
}
