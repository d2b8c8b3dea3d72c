/**
 * Least squares of a few coefficients, one observation at a time, starting from what is believed beforehand.
 * Plain JSON and of constant size: `mean` holds the coefficients, `covariance` (row by row) how sure they are.
 */
export type LeastSquares = { readonly mean: readonly number[]; readonly covariance: readonly number[] }

/**
 * @param mean the coefficients believed before any observation
 * @param deviation how far each may well be off (one standard deviation)
 * @param alike pairs of coefficients that are believed to move together, with their correlation (−1 to 1)
 */
export function startLeastSquares(
  mean: readonly number[],
  deviation: readonly number[],
  alike: readonly (readonly [number, number, number])[] = [],
): LeastSquares {
  const n = mean.length
  const covariance = new Array<number>(n * n).fill(0)
  for (let i = 0; i < n; i++) covariance[i * n + i] = (deviation[i] ?? 0) ** 2
  for (const [i, j, correlation] of alike) {
    const shared = correlation * (deviation[i] ?? 0) * (deviation[j] ?? 0)
    covariance[i * n + j] = shared
    covariance[j * n + i] = shared
  }
  return { mean, covariance }
}

export function predict(fit: LeastSquares, features: readonly number[]): number {
  let sum = 0
  for (let i = 0; i < fit.mean.length; i++) sum += (fit.mean[i] ?? 0) * (features[i] ?? 0)
  return sum
}

/**
 * Takes one observation in.
 * @param noise standard deviation of what is observed around what the coefficients explain; > 0
 */
export function observe(
  fit: LeastSquares,
  features: readonly number[],
  observed: number,
  noise: number,
): LeastSquares {
  const { mean, covariance } = fit
  const n = mean.length
  const gain: number[] = []
  let spread = noise * noise
  for (let i = 0; i < n; i++) {
    let sum = 0
    for (let j = 0; j < n; j++) sum += (covariance[i * n + j] ?? 0) * (features[j] ?? 0)
    gain.push(sum)
    spread += sum * (features[i] ?? 0)
  }
  const miss = observed - predict(fit, features)
  const freshMean = mean.slice()
  const freshCovariance = covariance.slice()
  for (let i = 0; i < n; i++) {
    const pull = gain[i] ?? 0
    freshMean[i] = (mean[i] ?? 0) + (pull * miss) / spread
    for (let j = 0; j < n; j++) {
      const at = i * n + j
      freshCovariance[at] = (covariance[at] ?? 0) - (pull * (gain[j] ?? 0)) / spread
    }
  }
  return { mean: freshMean, covariance: freshCovariance }
}
