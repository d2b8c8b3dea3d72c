import type { Milliseconds } from '../../units/units'

/** One call, as far as an effect is measured by it. */
export type EffectSample = {
  /** Calls of one session are alike; they are drawn together. */
  readonly session: string
  readonly at: Milliseconds
  readonly value: number
}

/** What came of an applied remedy, by means of its measure before and after. */
export type EffectVerdict =
  | {
      readonly kind: 'helped' | 'no-difference' | 'worse'
      readonly before: number
      readonly after: number
      readonly callsBefore: number
      readonly callsAfter: number
      /** Of the difference after − before: its 95 % interval. */
      readonly low: number
      readonly high: number
    }
  | {
      readonly kind: 'not-enough'
      readonly callsBefore: number
      readonly callsAfter: number
      /** About so many calls are still to be made, before and after. */
      readonly missingBefore: number
      readonly missingAfter: number
    }

/** Fewer calls on a side tell nothing apart. */
const LEAST_CALLS = 30
/** Nor do fewer pieces of sessions: how different sessions are is not known from a few. */
const LEAST_PIECES = 5
/** So many calls that follow one another are one piece: the prompt of each has that of the one before it in it. */
const PIECE_CALLS = 20
/** The newest calls before a change count, up to so many: older ones were of other work. */
const MOST_CALLS = 2_000
const DRAWS = 1_000
const TAIL = 0.025

/**
 * Compares a measure over the calls before and after a change: a bootstrap of pieces of sessions, its interval widened
 * by Student's t, since a bootstrap of few pieces is too sure of itself.
 * @param before in order of time within each session, as `after`
 * @param chance numbers from 0 up to, not including, 1; seeded by who asks, so that the answer is the same over runs
 */
export function judgeEffect(
  before: readonly EffectSample[],
  after: readonly EffectSample[],
  chance: () => number,
): EffectVerdict {
  const counts = { callsBefore: before.length, callsAfter: after.length }
  const [old, young] = [piecesOf(newest(before)), piecesOf(newest(after))]
  const missingBefore = missing(before.length, old.length)
  const missingAfter = missing(after.length, young.length)
  if (missingBefore > 0 || missingAfter > 0)
    return { kind: 'not-enough', ...counts, missingBefore, missingAfter }
  const [meanBefore, meanAfter] = [meanOf(old), meanOf(young)]
  const found = meanAfter - meanBefore
  const draws = Array.from({ length: DRAWS }, () => drawnMean(young, chance) - drawnMean(old, chance))
  draws.sort((a, b) => a - b)
  const wide = widening(Math.min(old.length, young.length))
  const at = (place: number) => found + ((draws[place] ?? found) - found) * wide
  const low = at(Math.floor(DRAWS * TAIL))
  const high = at(Math.ceil(DRAWS * (1 - TAIL)) - 1)
  return {
    kind: high < 0 ? 'helped' : low > 0 ? 'worse' : 'no-difference',
    ...{ before: meanBefore, after: meanAfter, ...counts, low, high },
  }
}

/** Calls of one session that follow one another: their sum and number. */
type Piece = { sum: number; count: number }

function newest(samples: readonly EffectSample[]): readonly EffectSample[] {
  return samples.length <= MOST_CALLS ? samples : samples.toSorted((a, b) => a.at - b.at).slice(-MOST_CALLS)
}

function piecesOf(samples: readonly EffectSample[]): readonly Piece[] {
  const pieces: Piece[] = []
  const open = new Map<string, Piece>()
  for (const { session, value } of samples) {
    let piece = open.get(session)
    if (piece === undefined || piece.count === PIECE_CALLS) {
      piece = { sum: 0, count: 0 }
      open.set(session, piece)
      pieces.push(piece)
    }
    piece.sum += value
    piece.count += 1
  }
  return pieces
}

/** Calls of one session that would do. */
function missing(calls: number, pieces: number): number {
  return Math.max(0, LEAST_CALLS - calls, (LEAST_PIECES - pieces) * PIECE_CALLS)
}

function meanOf(pieces: readonly Piece[]): number {
  let sum = 0
  let count = 0
  for (const piece of pieces) {
    sum += piece.sum
    count += piece.count
  }
  return count === 0 ? 0 : sum / count
}

function drawnMean(pieces: readonly Piece[], chance: () => number): number {
  let sum = 0
  let count = 0
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[Math.floor(chance() * pieces.length)]
    sum += piece?.sum ?? 0
    count += piece?.count ?? 0
  }
  return count === 0 ? 0 : sum / count
}

/**
 * How much wider than the bootstrap's an interval is with so many pieces: its variance is short by one piece, and the
 * 97.5 % point of Student's t is beyond that of the normal distribution (the first terms of its expansion).
 */
function widening(pieces: number): number {
  const freedom = pieces - 1
  const normal = 1.96
  const student = normal + (normal ** 3 + normal) / (4 * freedom) + 2.8 / freedom ** 2
  return (student / normal) * Math.sqrt(pieces / freedom)
}
