import { cholesky, dot, eigen, type Matrix, solveLower, solveUpper, times } from './small-matrix'

/** One call of a regression: what it is grouped by, its value, and what explains it. */
export type FitRow = {
  /** Rows of one group may be alike in any way; groups are taken to be independent of each other. */
  readonly group: string
  readonly isAfter: boolean
  readonly y: number
  /** Of all rows equally many. */
  readonly place: readonly number[]
}

/** What comes with the change, all else being equal. */
export type ClusteredFit = {
  readonly effect: number
  readonly error: number
  /** Of the error. Satterthwaite's. */
  readonly freedom: number
  /** By which `bootstrapPoint` draws groups anew. */
  readonly parts: readonly FitPart[]
  readonly lower: Matrix
  /** How much of the square of the error is from groups after the change. */
  readonly shareAfter: number
}

/** One group of a fit: its residuals summed by each column, the direction in which they count, and that through its sums. */
type FitPart = {
  readonly left: readonly number[]
  readonly direction: readonly number[]
  readonly pulled: readonly number[]
}

type Sums = { n: number; after: number; x: number[]; xx: number[][]; xy: number[]; y: number; yy: number }

/** So alike are calls of one group at most taken to be, or one group of many calls would count as one call. */
const MOST_ALIKE = 0.95

/**
 * Least squares with a random intercept for each group, its error by CR2 and its degrees of freedom by Satterthwaite's
 * rule (R. Bell and D. McCaffrey 2002; G. Imbens and M. Kolesár 2016): right for few groups too, and whatever the calls
 * of one group have in common. A group on both sides of the change is compared with itself.
 * @returns null: the effect depends on one group alone, or on what explains it
 */
export function clusteredFit(rows: readonly FitRow[]): ClusteredFit | null {
  const groups = sumsOf(independent(rows))
  const plain = solve(
    groups.map(({ xx }) => xx),
    groups.map(({ xy }) => xy),
  )
  if (plain === null) return null
  const alike = likeness(groups, plain.beta)
  const cross = groups.map((group) => transformed(group, alike))
  const solved = solve(
    cross.map(({ xx }) => xx),
    cross.map(({ xy }) => xy),
  )
  if (solved === null) return null
  const { lower, beta } = solved
  const unit = solveLower(
    lower,
    beta.map((_, i) => (i === 1 ? 1 : 0)),
  )
  const parts: FitPart[] = []
  let [trace, ownSquares, mixed, afterPart] = [0, 0, 0, 0]
  const outer = beta.map(() => beta.map(() => 0))
  for (const [g, { xx, xy }] of cross.entries()) {
    const direction = corrected(lower, xx, unit)
    if (direction === null) return null
    const pulled = times(xx, direction)
    const fitted = times(xx, beta)
    parts.push({ direction, pulled, left: xy.map((value, i) => value - (fitted[i] ?? 0)) })
    const own = dot(direction, pulled)
    const shadow = solveLower(lower, pulled)
    const length = dot(shadow, shadow)
    trace += own - length
    ownSquares += own * own
    mixed += own * length
    const { after, n } = groups[g] as Sums
    afterPart += (own - length) * (after / n)
    for (const [i, row] of outer.entries())
      for (let j = 0; j < row.length; j++) row[j] = (row[j] ?? 0) + (shadow[i] ?? 0) * (shadow[j] ?? 0)
  }
  const squares = ownSquares - 2 * mixed + outer.reduce((sum, row) => sum + dot(row, row), 0)
  const error = Math.hypot(...parts.map(({ direction, left }) => dot(direction, left)))
  if (!(trace > 0 && squares > 0)) return null
  return {
    ...{ effect: beta[1] ?? 0, error, freedom: (trace * trace) / squares, parts, lower },
    shareAfter: Math.min(1, Math.max(0, afterPart / trace)),
  }
}

/** Rows without what says nothing beside the change and the places before it. */
function independent(rows: readonly FitRow[]): FitRow[] {
  const columns = rows[0]?.place.map((_, i) => rows.map(({ place }) => place[i] ?? 0)) ?? []
  const bases = [rows.map(() => 1), rows.map(({ isAfter }) => (isAfter ? 1 : 0))].reduce(withColumn, [])
  const kept = columns.filter((column) => {
    const before = bases.length
    withColumn(bases, column)
    return bases.length > before
  })
  return rows.map((row, i) => ({ ...row, place: kept.map((column) => column[i] ?? 0) }))
}

/** Adds what a column has beside the others, at length one, if that is more than rounding. */
function withColumn(bases: number[][], column: readonly number[]): number[][] {
  const left = [...column]
  for (const base of bases) {
    const along = dot(base, left)
    for (let i = 0; i < left.length; i++) left[i] = (left[i] ?? 0) - along * (base[i] ?? 0)
  }
  const length = Math.sqrt(dot(left, left))
  if (length > 1e-6 * Math.sqrt(dot(column, column))) bases.push(left.map((value) => value / length))
  return bases
}

function sumsOf(rows: readonly FitRow[]): Sums[] {
  const groups = new Map<string, Sums>()
  for (const { group, isAfter, y, place } of rows) {
    const x = [1, isAfter ? 1 : 0, ...place]
    let sums = groups.get(group)
    if (sums === undefined) {
      const none = () => x.map(() => 0)
      sums = { n: 0, after: 0, x: none(), xx: x.map(none), xy: none(), y: 0, yy: 0 }
      groups.set(group, sums)
    }
    sums.n += 1
    sums.after += isAfter ? 1 : 0
    sums.y += y
    sums.yy += y * y
    for (let i = 0; i < x.length; i++) {
      const value = x[i] ?? 0
      sums.x[i] = (sums.x[i] ?? 0) + value
      sums.xy[i] = (sums.xy[i] ?? 0) + value * y
      const row = sums.xx[i] as number[]
      for (let j = 0; j < x.length; j++) row[j] = (row[j] ?? 0) + value * (x[j] ?? 0)
    }
  }
  return [...groups.values()]
}

function solve(xx: readonly Matrix[], xy: readonly (readonly number[])[]) {
  const size = xy[0]?.length ?? 0
  const sum = Array.from({ length: size }, (_, i) =>
    Array.from({ length: size }, (_, j) => xx.reduce((all, one) => all + (one[i]?.[j] ?? 0), 0)),
  )
  const lower = size === 0 ? null : cholesky(sum)
  if (lower === null) return null
  const right = Array.from({ length: size }, (_, i) => xy.reduce((all, one) => all + (one[i] ?? 0), 0))
  return { lower, beta: solveUpper(lower, solveLower(lower, right)) }
}

/** How alike two calls of one group are, of what is not explained: their correlation, from none on. */
function likeness(groups: readonly Sums[], beta: readonly number[]): number {
  let [pairs, products, squares, count] = [0, 0, 0, 0]
  for (const { n, x, xx, xy, y, yy } of groups) {
    const left = y - dot(x, beta)
    const square = yy - 2 * dot(xy, beta) + dot(beta, times(xx, beta))
    products += left * left - square
    pairs += n * (n - 1)
    squares += square
    count += n
  }
  if (pairs === 0 || squares <= 0) return 0
  return Math.min(MOST_ALIKE, Math.max(0, products / pairs / (squares / count)))
}

/** The sums of a group once what its calls have in common is taken off in part, so that what is left is independent. */
function transformed({ n, x, xx, xy, y }: Sums, alike: number) {
  const off = (1 - (1 - alike) / (1 + (n - 1) * alike)) / n
  return {
    xx: xx.map((row, i) => row.map((value, j) => value - off * (x[i] ?? 0) * (x[j] ?? 0))),
    xy: xy.map((value, i) => value - off * (x[i] ?? 0) * y),
  }
}

/** Where the residuals of a group are looked at, made larger by as much as the fit has made them smaller; null: they are none. */
function corrected(lower: Matrix, xx: Matrix, unit: readonly number[]): number[] | null {
  const half = xx.map((row) => solveLower(lower, row))
  const whole = unit.map((_, i) =>
    solveLower(
      lower,
      half.map((row) => row[i] ?? 0),
    ),
  )
  const { values, vectors } = eigen(whole)
  const sum = unit.map(() => 0)
  for (const [k, vector] of vectors.entries()) {
    const along = dot(vector, unit)
    const left = 1 - (values[k] ?? 0)
    if (left < 1e-6) {
      if (Math.abs(along) > 1e-4 * Math.sqrt(dot(unit, unit))) return null
      continue
    }
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + ((vector[i] ?? 0) * along) / Math.sqrt(left)
  }
  return solveUpper(lower, sum)
}
