import type { Milliseconds } from '../../units/units'
import { bootstrapPoint } from './bootstrap-point'
import { type ClusteredFit, clusteredFit, type FitRow } from './clustered-fit'
import { studentPoint } from './student-point'

/** One call, as far as an effect is measured by it. */
export type EffectSample = {
  /** Calls of one session are alike. */
  readonly session: string
  /** The part of it between two compactions or resets. */
  readonly stretch: string
  readonly at: Milliseconds
  readonly value: number
  /** What sort of session it is of: only calls of one sort are compared. */
  readonly kind: string
  /** Where the call is in its session, as numbers that the measure may depend on; of all samples equally many. */
  readonly place: readonly number[]
}

/** `log`: of sizes, whose effect is a share; `linear`: of what may be 0. */
export type EffectScale = 'log' | 'linear'

/** What came of an applied remedy, by means of its measure before and after. */
export type EffectVerdict =
  | ({ readonly kind: 'helped' | 'no-difference' | 'worse' } & EffectCounts & EffectRange)
  | ({
      readonly kind: 'not-enough'
      /** About so many calls are still to be made, before and after. */
      readonly missingBefore: number
      readonly missingAfter: number
      /** What the calls say so far; null: nothing. */
      readonly soFar: EffectRange | null
    } & EffectCounts)

type EffectCounts = { readonly callsBefore: number; readonly callsAfter: number }

export type EffectRange = {
  readonly before: number
  /** What it is after, at like places of like sessions. */
  readonly after: number
  /** Of the difference after − before: its 95 % interval. */
  readonly low: number
  readonly high: number
}

/** Fewer calls on a side tell nothing apart. */
const LEAST_CALLS = 30
/** The newest calls before a change count, up to so many: older ones were of other work. */
const MOST_CALLS = 2_000
/** An effect of this share is meant to be found, with this chance. */
const [MEANT, FOUND] = [0.15, 0.8]
/** Of an interval of 95 %: a little more, so that in none of the simulated stores more than 5 % are false alarms. */
const CONFIDENT = 0.978
/** With fewer degrees of freedom than this the parts of sessions that go on are compared instead. */
const LEAST_FREEDOM = 4
const ROUNDING = 1e-9
const MOST_MISSING = 100_000

/** Compares a measure over the calls before and after a change. */
export function judgeEffect(
  before: readonly EffectSample[],
  after: readonly EffectSample[],
  scale: EffectScale,
  chance: () => number,
): EffectVerdict {
  const [old, young] = comparable(newest(before), newest(after), scale)
  const counts = { callsBefore: old.length, callsAfter: young.length }
  const few = {
    missingBefore: Math.max(0, LEAST_CALLS - old.length),
    missingAfter: Math.max(0, LEAST_CALLS - young.length),
  }
  if (few.missingBefore > 0 || few.missingAfter > 0)
    return { kind: 'not-enough', ...counts, ...few, soFar: null }
  const mean = old.reduce((sum, { value }) => sum + value, 0) / old.length
  const fit = fitOf(old, young, scale)
  if (fit === null)
    return { kind: 'not-enough', ...counts, missingBefore: 0, missingAfter: LEAST_CALLS, soFar: null }
  const { effect, error, freedom } = fit
  const student = studentPoint(CONFIDENT, freedom)
  // Where all sessions are equal what is left is rounding, and a draw of it says nothing.
  const rounding = ROUNDING * (scale === 'log' ? 1 : Math.abs(mean))
  const drawn = error <= rounding ? 0 : bootstrapPoint(fit, 2 * CONFIDENT - 1, chance)
  const reach = Math.max(error * student, error * drawn, rounding)
  const value = (of: number) => (scale === 'log' ? mean * Math.expm1(of) : of)
  const range = {
    before: mean,
    after: mean + value(effect),
    low: value(effect - reach),
    high: value(effect + reach),
  }
  if (range.high < 0) return { kind: 'helped', ...counts, ...range }
  if (range.low > 0) return { kind: 'worse', ...counts, ...range }
  const aim = scale === 'log' ? -Math.log1p(-MEANT) : MEANT * mean
  const missing = missingCalls(fit, { old: old.length, young: young.length }, aim)
  return missing === null
    ? { kind: 'no-difference', ...counts, ...range }
    : { kind: 'not-enough', ...counts, ...missing, soFar: range }
}

function newest(samples: readonly EffectSample[]): readonly EffectSample[] {
  return samples.length <= MOST_CALLS ? samples : samples.toSorted((a, b) => a.at - b.at).slice(-MOST_CALLS)
}

function comparable(
  before: readonly EffectSample[],
  after: readonly EffectSample[],
  scale: EffectScale,
): [readonly EffectSample[], readonly EffectSample[]] {
  const kinds = new Set(before.map(({ kind }) => kind))
  // Before anything came after a change, all that was before it may be compared yet.
  const both =
    after.length === 0 ? kinds : new Set(after.map(({ kind }) => kind).filter((kind) => kinds.has(kind)))
  const of = (samples: readonly EffectSample[]) =>
    samples.filter(({ kind, value }) => both.has(kind) && (scale === 'linear' || value > 0))
  return [of(before), of(after)]
}

function fitOf(
  before: readonly EffectSample[],
  after: readonly EffectSample[],
  scale: EffectScale,
): ClusteredFit | null {
  const fit = clusteredFit(rowsOf(before, after, scale, 'session'))
  if (fit !== null && fit.freedom >= LEAST_FREEDOM) return fit
  const both = new Set(after.map(({ session }) => session))
  const going = new Set(before.map(({ session }) => session).filter((one) => both.has(one)))
  const within = (samples: readonly EffectSample[]) => samples.filter(({ session }) => going.has(session))
  const inside = clusteredFit(rowsOf(within(before), within(after), scale, 'stretch'))
  return inside !== null && (fit === null || inside.freedom > fit.freedom) ? inside : fit
}

function rowsOf(
  before: readonly EffectSample[],
  after: readonly EffectSample[],
  scale: EffectScale,
  by: 'session' | 'stretch',
): FitRow[] {
  const all = [...before, ...after]
  // What differs between sorts of sessions, and between sessions where their parts are compared, is not the effect.
  const nameOf = ({ kind, session }: EffectSample) => (by === 'session' ? kind : `${kind} ${session}`)
  const names = [...new Set(all.map(nameOf))].slice(1)
  const row = (sample: EffectSample, isAfter: boolean): FitRow => ({
    group: sample[by],
    isAfter,
    y: scale === 'log' ? Math.log(sample.value) : sample.value,
    place: [...names.map((name) => (nameOf(sample) === name ? 1 : 0)), ...sample.place],
  })
  return [...before.map((sample) => row(sample, false)), ...after.map((sample) => row(sample, true))]
}

/** How many more calls would find what is meant to be found; null: these do. */
function missingCalls(
  { error, freedom, shareAfter }: ClusteredFit,
  { old, young }: { readonly old: number; readonly young: number },
  aim: number,
): { readonly missingBefore: number; readonly missingAfter: number } | null {
  const square = error * error
  const enough = (calls: number, past: number) => {
    const grown = (shareAfter * young) / calls + ((1 - shareAfter) * old) / past
    const free = freedom * Math.min(calls / young, past === old ? calls / young : past / old)
    const factor = studentPoint(CONFIDENT, free) + studentPoint(FOUND, free)
    return factor * factor * square * grown <= aim * aim
  }
  if (enough(young, old)) return null
  const search = (of: (calls: number) => boolean, from: number) => {
    let [low, high] = [from, from]
    while (!of(high)) {
      if (high > MOST_MISSING) return null
      low = high
      high *= 2
    }
    while (high - low > Math.max(1, low * 0.02)) {
      const middle = (low + high) / 2
      if (of(middle)) high = middle
      else low = middle
    }
    return Math.ceil(high - from)
  }
  const after = search((calls) => enough(calls, old), young)
  if (after !== null) return { missingBefore: 0, missingAfter: after }
  const past = search((calls) => enough((calls * young) / old, calls), old)
  return { missingBefore: past ?? MOST_MISSING, missingAfter: 0 }
}
