import type { ClusteredFit } from './clustered-fit'
import { dot, solveLower, solveUpper } from './small-matrix'

const DRAWS = 999

/**
 * How many errors an effect is off by at most, with this confidence, by a wild bootstrap of whole groups: in each draw
 * the residuals of a group keep their signs or change them together, and the effect and its error are worked out anew (A.
 * Cameron, J. Gelbach and D. Miller 2008).
 * @param chance numbers from 0 up to, not including, 1
 */
export function bootstrapPoint(
  { parts, lower }: Pick<ClusteredFit, 'parts' | 'lower'>,
  confidence: number,
  chance: () => number,
): number {
  const size = lower.length
  // Flat, and with all that does not change over draws worked out once: there are a thousand.
  const scores = parts.map(({ left, direction }) => dot(direction, left))
  const moves = Float64Array.from(parts.flatMap(({ left }) => solveUpper(lower, solveLower(lower, left))))
  const pulls = Float64Array.from(parts.flatMap(({ pulled }) => pulled))
  const signs = new Float64Array(parts.length)
  const moved = new Float64Array(size)
  const points: number[] = []
  for (let draw = 0; draw < DRAWS; draw++) {
    moved.fill(0)
    for (let g = 0; g < signs.length; g++) {
      const sign = chance() < 0.5 ? -1 : 1
      signs[g] = sign
      for (let i = 0; i < size; i++) moved[i] = (moved[i] ?? 0) + sign * (moves[g * size + i] ?? 0)
    }
    let square = 0
    for (let g = 0; g < signs.length; g++) {
      let score = (signs[g] ?? 0) * (scores[g] ?? 0)
      for (let i = 0; i < size; i++) score -= (pulls[g * size + i] ?? 0) * (moved[i] ?? 0)
      square += score * score
    }
    points.push(square === 0 ? 0 : Math.abs(moved[1] ?? 0) / Math.sqrt(square))
  }
  points.sort((a, b) => a - b)
  return points[Math.ceil(confidence * (DRAWS + 1)) - 1] ?? 0
}
