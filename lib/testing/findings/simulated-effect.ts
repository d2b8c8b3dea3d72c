import { type EffectSample, type EffectVerdict, judgeEffect } from '../../core/findings/effect/judge-effect'
import { cholesky, dot, solveLower } from '../../core/findings/effect/small-matrix'
import { studentPoint } from '../../core/findings/effect/student-point'
import { Chance } from './talk'

/** How calls of a simulated store differ, on the scale of logarithms: about shares of the mean. */
export type SimulatedStore = {
  readonly name: string
  /** Calls of a session, from and to; of one that goes on over the change, those of each side. */
  readonly calls: readonly [least: number, most: number]
  /** How much calls of one session differ, and how much of that a call has from the one before it. */
  readonly spread: number
  readonly memory: number
  /** How much sessions differ. */
  readonly sessions: number
  /** Sessions go on over the change, or each is of one side. */
  readonly goOn?: boolean
  /** All calls are of one session; what is said of sessions is of the stretches between its compactions then. */
  readonly isOne?: boolean
  /** How fast prompts grow with the calls since a compaction, and how much sessions differ in that. */
  readonly growth?: readonly [mean: number, spread: number]
  /** One call in so many is this many times as large. */
  readonly outliers?: readonly [each: number, times: number]
  /** Sessions of another kind, with prompts of this share: how many of them there are before and after. */
  readonly polls?: { readonly size: number; readonly before: number; readonly after: number }
  /** Not the size of a prompt, but how often something comes: a share of calls. */
  readonly rate?: number
}

export const SIMULATED_STORES: readonly SimulatedStore[] = [
  { name: 'short sessions', calls: [2, 6], spread: 0.2, memory: 0.3, sessions: 0.05 },
  { name: 'middling sessions', calls: [3, 9], spread: 0.2, memory: 0.3, sessions: 0.05 },
  { name: 'long sessions', calls: [6, 20], spread: 0.25, memory: 0.5, sessions: 0.08 },
  { name: 'long sessions that differ much', calls: [6, 20], spread: 0.25, memory: 0.5, sessions: 0.3 },
  {
    name: 'sessions that differ much and go on over the change',
    ...{ calls: [2, 8], spread: 0.2, memory: 0.3, sessions: 0.4, goOn: true },
  },
  {
    name: 'prompts that grow',
    ...{ calls: [4, 16], spread: 0.08, memory: 0.5, sessions: 0.08, growth: [0.4, 0.04] },
  },
  {
    name: 'prompts that grow in sessions that go on over the change',
    ...{ calls: [3, 12], spread: 0.08, memory: 0.5, sessions: 0.3, growth: [0.4, 0.04], goOn: true },
  },
  { name: 'one session for all', calls: [4, 12], spread: 0.15, memory: 0.3, sessions: 0.05, isOne: true },
  {
    name: 'outliers',
    ...{ calls: [2, 6], spread: 0.15, memory: 0.3, sessions: 0.05, outliers: [40, 3] },
  },
  {
    name: 'polls beside conversations, more of them after',
    ...{
      calls: [2, 6],
      spread: 0.2,
      memory: 0.3,
      sessions: 0.05,
      polls: { size: 0.3, before: 0.3, after: 0.6 },
    },
  },
  { name: 'a rate of calls', calls: [2, 8], spread: 0, memory: 0, sessions: 0, rate: 0.3 },
]

/** Of what a call is made of on average. */
const MEAN = 40_000

type Side = 'before' | 'after'

type Row = {
  readonly group: string
  readonly side: Side
  readonly i: number
  readonly growth: number
  readonly poll: boolean
}

/** What is judged of a store before and after a remedy that leaves this share of the measure. */
export function simulatedVerdict(
  store: SimulatedStore,
  share: number,
  seed: number,
  calls: readonly [before: number, after: number] = [60, 60],
): EffectVerdict {
  const chance = new Chance(seed)
  const { before, after } = drawn(store, share, calls, chance)
  return judgeEffect(before, after, store.rate === undefined ? 'log' : 'linear', () => chance.share())
}

/** Samples of both sides. */
function drawn(store: SimulatedStore, share: number, calls: readonly [number, number], chance: Chance) {
  const sides: { [S in Side]: EffectSample[] } = { before: [], after: [] }
  for (const { session, side, length, start, poll, group } of layout(store, calls, chance)) {
    const { own, slope } = group
    for (let i = 0; i < length; i++) {
      group.state = store.memory * group.state + Math.sqrt(1 - store.memory ** 2) * normal(chance)
      const place = start + i
      const change = side === 'after' ? share : 1
      const outlier =
        store.outliers !== undefined && chance.share() < 1 / store.outliers[0] ? store.outliers[1] : 1
      const size =
        MEAN *
        change *
        outlier *
        own *
        Math.exp(store.spread * group.state + slope * Math.log1p(place)) *
        (poll ? (store.polls?.size ?? 1) : 1)
      const value = store.rate === undefined ? size : chance.share() < store.rate * change ? 1 : 0
      sides[side].push({
        ...{ session, stretch: group.name, at: sides[side].length, value },
        ...{ kind: poll ? 'poll' : 'talk', place: store.growth === undefined ? [] : [Math.log1p(place)] },
      })
    }
  }
  return sides
}

type Group = { name: string; own: number; slope: number; state: number }

/** Which stretches of calls a store has, as many as make so many calls a side. */
function* layout(store: SimulatedStore, calls: readonly [number, number], chance: Chance) {
  const left = { before: calls[0], after: calls[1] }
  const group = (name: string): Group => ({
    name,
    own: Math.exp(store.sessions * normal(chance)),
    slope: store.growth === undefined ? 0 : store.growth[0] + store.growth[1] * normal(chance),
    state: normal(chance),
  })
  for (let n = 0; left.before > 0 || left.after > 0; n++) {
    const sides: Side[] = store.goOn === true ? ['before', 'after'] : left.before > 0 ? ['before'] : ['after']
    const own = group(`g${n}`)
    let start = 0
    for (const side of sides) {
      const length = Math.min(left[side], chance.whole(...store.calls))
      if (length === 0) continue
      left[side] -= length
      const poll = store.polls !== undefined && chance.share() < store.polls[side]
      yield { session: store.isOne === true ? 'one' : own.name, side, length, start, poll, group: own }
      start += length
    }
  }
}

/**
 * How often an effect can be found, in percent, the mean of some stores. `known`: by who knows how calls and sessions
 * differ, and has to estimate only the effect and what it is separated from (how prompts grow, sorts of sessions); no method
 * can find more without a bias. `estimated`: by who has to learn from the sessions at hand how much they differ, too. What is
 * short of that is for lack of calls.
 */
export function reachablePower(
  store: SimulatedStore,
  effect: number,
  calls: readonly [before: number, after: number] = [60, 60],
): { readonly known: number; readonly estimated: number } {
  const times = 60
  let [known, estimated] = [0, 0]
  for (let seed = 0; seed < times; seed++) {
    const groups = new Map<string, Row[]>()
    for (const { side, length, start, poll, group } of layout(store, calls, new Chance(seed * 13 + 5)))
      for (let i = start; i < start + length; i++) {
        const rows = groups.get(group.name) ?? []
        groups.set(group.name, rows)
        rows.push({ group: group.name, side, i, growth: Math.log1p(i), poll })
      }
    const size = store.rate === undefined ? Math.abs(Math.log(1 - effect)) : effect * store.rate
    const { error, columns } = oracleError(store, [...groups.values()])
    const freedom = Math.max(1, groups.size - columns)
    const point = studentPoint(0.975, freedom)
    known += chanceBelow(size / error - 1.96)
    // A noncentral t, about (N. Johnson and B. Welch 1940).
    estimated += chanceBelow((size / error - point) / Math.sqrt(1 + point ** 2 / (2 * freedom)))
  }
  return { known: (known / times) * 100, estimated: (estimated / times) * 100 }
}

/** The error of an effect where the covariance of all calls is known. */
function oracleError(
  store: SimulatedStore,
  groups: readonly (readonly Row[])[],
): { readonly error: number; readonly columns: number } {
  const columns: ((row: Row) => number)[] = [({ side }) => (side === 'after' ? 1 : 0), () => 1]
  if (store.growth !== undefined) columns.push(({ growth }) => growth)
  if (store.polls !== undefined) columns.push(({ poll }) => (poll ? 1 : 0))
  const information = columns.map(() => columns.map(() => 0))
  for (const rows of groups) {
    const lower = cholesky(covarianceOf(store, rows))
    if (lower === null) throw new Error(`The calls of ${store.name} have no covariance`)
    const solved = columns.map((column) => solveLower(lower, rows.map(column)))
    for (const [i, line] of information.entries())
      for (const j of line.keys()) line[j] = (line[j] ?? 0) + dot(solved[i] ?? [], solved[j] ?? [])
  }
  const lower = cholesky(information)
  if (lower === null) return { error: Number.POSITIVE_INFINITY, columns: columns.length }
  const unit = solveLower(
    lower,
    columns.map((_, i) => (i === 0 ? 1 : 0)),
  )
  return { error: Math.sqrt(dot(unit, unit)), columns: columns.length }
}

/** Of the logarithms of calls of one session or stretch; of a rate, of what comes or not. */
function covarianceOf(store: SimulatedStore, rows: readonly Row[]): number[][] {
  const own = store.rate === undefined ? 0 : store.rate * (1 - store.rate)
  const [, slopes = 0] = store.growth ?? []
  const [each = 1, times = 1] = store.outliers ?? []
  const rare = (1 / each) * (1 - 1 / each) * Math.log(times) ** 2
  return rows.map((x) =>
    rows.map((y) => {
      const same = x === y ? own + rare : 0
      const near = store.spread ** 2 * store.memory ** Math.abs(x.i - y.i)
      return same + near + store.sessions ** 2 + slopes ** 2 * x.growth * y.growth
    }),
  )
}

/** The chance that a normal number is below a point (Abramowitz and Stegun, 26.2.17). */
function chanceBelow(point: number): number {
  if (point < 0) return 1 - chanceBelow(-point)
  const t = 1 / (1 + 0.2316419 * point)
  const terms = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429]
  const tail = terms.reduceRight((sum, term) => (sum + term) * t, 0)
  return 1 - (Math.exp((-point * point) / 2) / Math.sqrt(2 * Math.PI)) * tail
}

/** Of mean 0 and variance 1 (Box and Muller). */
function normal(chance: Chance): number {
  return Math.sqrt(-2 * Math.log(1 - chance.share())) * Math.cos(2 * Math.PI * chance.share())
}
