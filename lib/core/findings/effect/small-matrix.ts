/** A matrix of a few rows, row by row. */
export type Matrix = readonly (readonly number[])[]

/** The lower triangle whose product with itself is a symmetric matrix; null: the matrix has none. */
export function cholesky(of: Matrix): number[][] | null {
  const lower: number[][] = of.map(() => [])
  for (let i = 0; i < of.length; i++)
    for (let j = 0; j <= i; j++) {
      let rest = at(of, i, j)
      for (let k = 0; k < j; k++) rest -= at(lower, i, k) * at(lower, j, k)
      if (i === j && rest <= 1e-9 * Math.max(at(of, i, i), 1e-12)) return null
      ;(lower[i] as number[])[j] = i === j ? Math.sqrt(rest) : rest / at(lower, j, j)
    }
  return lower
}

/** Solves `lower · x = by`. */
export function solveLower(lower: Matrix, by: readonly number[]): number[] {
  const x: number[] = []
  for (let i = 0; i < by.length; i++) {
    let rest = by[i] ?? 0
    for (let k = 0; k < i; k++) rest -= at(lower, i, k) * (x[k] ?? 0)
    x.push(rest / at(lower, i, i))
  }
  return x
}

/** Solves `lowerᵀ · x = by`. */
export function solveUpper(lower: Matrix, by: readonly number[]): number[] {
  const x = by.map(() => 0)
  for (let i = by.length - 1; i >= 0; i--) {
    let rest = by[i] ?? 0
    for (let k = i + 1; k < by.length; k++) rest -= at(lower, k, i) * (x[k] ?? 0)
    x[i] = rest / at(lower, i, i)
  }
  return x
}

export function times(of: Matrix, vector: readonly number[]): number[] {
  return of.map((row) => dot(row, vector))
}

export function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

/** Values and vectors of a symmetric matrix, by Jacobi's rotations. A vector is a row. */
export function eigen(of: Matrix): { readonly values: number[]; readonly vectors: number[][] } {
  const a = of.map((row) => [...row])
  const size = a.length
  const vectors = a.map((_, i) => a.map((_, j) => (i === j ? 1 : 0)))
  for (let sweep = 0; sweep < 40; sweep++) {
    let off = 0
    for (let p = 0; p < size; p++) for (let q = 0; q < p; q++) off += at(a, p, q) ** 2
    if (off < 1e-22) break
    for (let p = 0; p < size; p++)
      for (let q = p + 1; q < size; q++) {
        if (Math.abs(at(a, p, q)) < 1e-300) continue
        const theta = (at(a, q, q) - at(a, p, p)) / (2 * at(a, p, q))
        const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.hypot(theta, 1))
        const c = 1 / Math.hypot(t, 1)
        rotate(a, vectors, p, q, c, t * c)
      }
  }
  return { values: a.map((row, i) => row[i] ?? 0), vectors }
}

function rotate(a: number[][], vectors: number[][], p: number, q: number, c: number, s: number): void {
  for (const row of a) [row[p], row[q]] = turned(row[p], row[q], c, s)
  for (const rows of [a, vectors]) {
    const [one, two] = [rows[p] as number[], rows[q] as number[]]
    for (let k = 0; k < one.length; k++) [one[k], two[k]] = turned(one[k], two[k], c, s)
  }
}

function turned(x = 0, y = 0, c: number, s: number): [number, number] {
  return [c * x - s * y, s * x + c * y]
}

function at(of: Matrix, i: number, j: number): number {
  return of[i]?.[j] ?? 0
}
