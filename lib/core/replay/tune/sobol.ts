import { seededChance } from '../../findings/effect/seeded-chance'

/**
 * Degree, coefficients and first direction numbers of each dimension but the first (S. Joe and F. Kuo, "Constructing
 * Sobol sequences with better two-dimensional projections", 2008; their table new-joe-kuo-6).
 */
const DIRECTIONS: readonly (readonly [degree: number, coefficients: number, first: readonly number[]])[] = [
  [1, 0, [1]],
  [2, 1, [1, 3]],
  [3, 1, [1, 3, 1]],
  [3, 2, [1, 1, 1]],
  [4, 1, [1, 1, 3, 3]],
  [4, 4, [1, 3, 5, 13]],
  [5, 2, [1, 1, 5, 5, 17]],
  [5, 4, [1, 1, 5, 5, 5]],
  [5, 7, [1, 1, 7, 11, 19]],
  [5, 11, [1, 1, 5, 1, 1]],
  [5, 13, [1, 1, 1, 3, 11]],
  [5, 14, [1, 3, 5, 5, 31]],
  [6, 1, [1, 3, 3, 9, 7, 49]],
  [6, 13, [1, 1, 1, 15, 21, 21]],
  [6, 16, [1, 3, 1, 13, 27, 49]],
  [6, 19, [1, 1, 1, 15, 7, 5]],
  [6, 22, [1, 3, 1, 15, 13, 25]],
  [6, 25, [1, 1, 5, 5, 19, 61]],
]

const BITS = 32

/** So many dimensions at most. */
const MOST_DIMENSIONS = DIRECTIONS.length + 1

/**
 * The first points of a Sobol sequence, each coordinate from 0 to below 1, scrambled by a seed: they fill the cube more
 * evenly than chance does, whatever their number.
 */
export function sobolPoints(count: number, dimensions: number, seed: string): number[][] {
  if (dimensions > MOST_DIMENSIONS) throw new Error(`${dimensions} dimensions: there are ${MOST_DIMENSIONS}`)
  const chance = seededChance(seed)
  const numbers = Array.from({ length: dimensions }, (_, d) => directionsOf(d))
  const seeds = Array.from({ length: dimensions }, () => Math.floor(chance() * 2 ** BITS) >>> 0)
  const points: number[][] = []
  const state = new Uint32Array(dimensions)
  for (let i = 0; i < count; i++) {
    points.push(Array.from(state, (value, d) => scrambled(value, seeds[d] ?? 0) / 2 ** BITS))
    // The position of the lowest 0 in the number of the point says which direction comes next.
    const bit = Math.clz32(~i & (i + 1)) ^ (BITS - 1)
    for (let d = 0; d < dimensions; d++) state[d] = ((state[d] ?? 0) ^ (numbers[d]?.[bit] ?? 0)) >>> 0
  }
  return points
}

function directionsOf(dimension: number): Uint32Array {
  const numbers = new Uint32Array(BITS)
  const row = DIRECTIONS[dimension - 1]
  if (row === undefined) return numbers.map((_, i) => (1 << (BITS - 1 - i)) >>> 0)
  const [degree, coefficients, first] = row
  for (let i = 0; i < BITS; i++) {
    if (i < degree) {
      numbers[i] = ((first[i] ?? 1) << (BITS - 1 - i)) >>> 0
      continue
    }
    let value = (numbers[i - degree] ?? 0) ^ ((numbers[i - degree] ?? 0) >>> degree)
    for (let k = 1; k < degree; k++)
      if (((coefficients >> (degree - 1 - k)) & 1) === 1) value ^= numbers[i - k] ?? 0
    numbers[i] = value >>> 0
  }
  return numbers
}

/** Owen's scrambling by a hash (S. Laine and T. Karras, 2011): what is below a bit never moves what is above it. */
function scrambled(value: number, seed: number): number {
  let x = reversed(value)
  x = (x + seed) >>> 0
  x = (x ^ Math.imul(x, 0x6c50b47c)) >>> 0
  x = (x ^ Math.imul(x, 0xb82f1e52)) >>> 0
  x = (x ^ Math.imul(x, 0xc7afe638)) >>> 0
  x = (x ^ Math.imul(x, 0x8d22f6e6)) >>> 0
  return reversed(x)
}

function reversed(value: number): number {
  let x = value
  x = ((x >>> 1) & 0x55555555) | ((x & 0x55555555) << 1)
  x = ((x >>> 2) & 0x33333333) | ((x & 0x33333333) << 2)
  x = ((x >>> 4) & 0x0f0f0f0f) | ((x & 0x0f0f0f0f) << 4)
  x = ((x >>> 8) & 0x00ff00ff) | ((x & 0x00ff00ff) << 8)
  return ((x >>> 16) | (x << 16)) >>> 0
}
