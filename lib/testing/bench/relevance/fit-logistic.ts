/** A row of features with its label. */
export type Labelled = { readonly features: readonly number[]; readonly label: boolean }

/** Coefficients of a logistic regression, the intercept first. */
export type Coefficients = readonly number[]

const STEPS = 25
/** Keeps coefficients of features that say the same from running away. */
const RIDGE = 1

/** Fits by Newton's method with a small ridge; the same rows give the same coefficients. */
export function fitLogistic(rows: readonly Labelled[]): Coefficients {
  const size = (rows[0]?.features.length ?? 0) + 1
  const beta = new Float64Array(size)
  for (let step = 0; step < STEPS; step++) {
    const gradient = new Float64Array(size)
    const hessian = Array.from({ length: size }, () => new Float64Array(size))
    for (const { features, label } of rows) {
      const x = [1, ...features]
      const p = 1 / (1 + Math.exp(-dot(beta, x)))
      const weight = p * (1 - p)
      for (let i = 0; i < size; i++) {
        gradient[i] = (gradient[i] ?? 0) + ((label ? 1 : 0) - p) * (x[i] ?? 0)
        const row = hessian[i]
        if (row) for (let j = 0; j <= i; j++) row[j] = (row[j] ?? 0) + weight * (x[i] ?? 0) * (x[j] ?? 0)
      }
    }
    for (let i = 0; i < size; i++) {
      const row = hessian[i]
      if (!row) continue
      for (let j = 0; j < i; j++) {
        const other = hessian[j]
        if (other) other[i] = row[j] ?? 0
      }
      if (i > 0) gradient[i] = (gradient[i] ?? 0) - RIDGE * (beta[i] ?? 0)
      row[i] = (row[i] ?? 0) + (i > 0 ? RIDGE : 1e-9)
    }
    const change = solve(hessian, gradient)
    for (let i = 0; i < size; i++) beta[i] = (beta[i] ?? 0) + (change[i] ?? 0)
  }
  return [...beta]
}

/** How likely a value with the label is above one without; ties count half. NaN without both kinds. */
export function areaUnderCurve(rows: readonly { readonly value: number; readonly label: boolean }[]): number {
  const sorted = [...rows].sort((a, b) => a.value - b.value)
  const positives = sorted.filter(({ label }) => label).length
  let ranks = 0
  for (let start = 0; start < sorted.length; ) {
    let end = start
    while (end < sorted.length && sorted[end]?.value === sorted[start]?.value) end += 1
    const rank = (start + 1 + end) / 2
    for (let i = start; i < end; i++) if (sorted[i]?.label) ranks += rank
    start = end
  }
  return (ranks - (positives * (positives + 1)) / 2) / (positives * (sorted.length - positives))
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

/** Solves a symmetric positive system by elimination. */
function solve(matrix: Float64Array[], right: Float64Array): number[] {
  const size = right.length
  for (let i = 0; i < size; i++) {
    const pivot = matrix[i]
    if (!pivot) continue
    for (let j = i + 1; j < size; j++) {
      const row = matrix[j]
      if (!row) continue
      const factor = (row[i] ?? 0) / (pivot[i] ?? 1)
      for (let k = i; k < size; k++) row[k] = (row[k] ?? 0) - factor * (pivot[k] ?? 0)
      right[j] = (right[j] ?? 0) - factor * (right[i] ?? 0)
    }
  }
  const solution = new Array<number>(size).fill(0)
  for (let i = size - 1; i >= 0; i--) {
    const row = matrix[i]
    let rest = right[i] ?? 0
    for (let k = i + 1; k < size; k++) rest -= (row?.[k] ?? 0) * (solution[k] ?? 0)
    solution[i] = rest / (row?.[i] ?? 1)
  }
  return solution
}
