import { seededChance } from '../findings/effect/seeded-chance'
import type { Interval, ReplaySum, SessionReplay } from './replay-result'

/** How often sessions are drawn again for an interval, and what seeds it. */
const DRAWS = 1_000
const SEED = 'replay'
/** An interval holds this share of what was drawn. */
const HELD = 0.95

/** A ratio over sessions: what is above and below the line of each. */
type Ratio = { readonly top: Float64Array; readonly bottom: Float64Array }

/**
 * A policy over sessions, with intervals by drawing whole sessions again (B = 1,000, always the same seed): what one
 * session holds hangs together, so single needs must not be drawn. In the order given; the same sessions give the same sum.
 */
export function sumReplays(replays: readonly SessionReplay[]): ReplaySum {
  const drawn = drawsOf(replays.length)
  const of = (top: (one: SessionReplay) => number, bottom: (one: SessionReplay) => number) =>
    intervalOf(ratioOf(replays, top, bottom), drawn)
  const weights = replays.map(({ needs }) => needs.all)
  const weight = sum(weights)
  return {
    sessions: replays.length,
    calls: total(replays, ({ calls }) => calls),
    needs: weight,
    saving: of(
      ({ costAll, costSent }) => costAll - costSent,
      ({ costAll }) => costAll,
    ),
    savingBeforeMisses: of(
      ({ costAll, costSent, missCost, summaryCost }) => costAll - (costSent - missCost - summaryCost),
      ({ costAll }) => costAll,
    ),
    tokensSaved: of(
      ({ tokensAll, tokensSent }) => tokensAll - tokensSent,
      ({ tokensAll }) => tokensAll,
    ),
    recall: of(
      ({ needs }) => needs.met,
      ({ needs }) => needs.all,
    ),
    longRecall: of(
      ({ longRange }) => longRange.met,
      ({ longRange }) => longRange.all,
    ),
    rulesKept: of(
      ({ rules }) => rules.met,
      ({ rules }) => rules.all,
    ),
    lost: of(
      ({ needs }) => needs.lost,
      ({ needs }) => needs.all,
    ),
    usdAll: known(replays.map(({ usdAll }) => usdAll)),
    usdSent: known(replays.map(({ usdSent }) => usdSent)),
    missTokens: total(replays, ({ missTokens }) => missTokens),
    rewrites: total(replays, ({ rewrites }) => rewrites),
    compactions: total(replays, ({ compactions }) => compactions),
    overfull: total(replays, ({ overfull }) => overfull),
    largestShare: weight === 0 ? 0 : Math.max(...weights) / weight,
  }
}

/**
 * The saving of one policy less that of another over the same sessions, with its interval: both are drawn together, so that
 * what is hard about a session counts for both. null: nothing to compare.
 */
export function savingGain(
  replays: readonly SessionReplay[],
  against: readonly SessionReplay[],
): Interval | null {
  const costs = Float64Array.from(replays, ({ costSent }, i) => (against[i]?.costSent ?? 0) - costSent)
  const bottom = Float64Array.from(replays, ({ costAll }) => costAll)
  return intervalOf({ top: costs, bottom }, drawsOf(replays.length))
}

/** Prompt tokens under one policy less those under another over the same sessions, as a share of the latter. */
export function promptChange(
  replays: readonly SessionReplay[],
  against: readonly SessionReplay[],
): Interval | null {
  const top = Float64Array.from(replays, ({ tokensSent }, i) => tokensSent - (against[i]?.tokensSent ?? 0))
  const bottom = Float64Array.from(against, ({ tokensSent }) => tokensSent)
  return intervalOf({ top, bottom }, drawsOf(replays.length))
}

function ratioOf(
  replays: readonly SessionReplay[],
  top: (one: SessionReplay) => number,
  bottom: (one: SessionReplay) => number,
): Ratio {
  return { top: Float64Array.from(replays, top), bottom: Float64Array.from(replays, bottom) }
}

/** How often each session comes up in each drawing; worked out once for a number of sessions. */
let draws: { readonly count: number; readonly times: Uint8Array } | null = null

function drawsOf(count: number): Uint8Array {
  if (draws?.count === count) return draws.times
  const random = seededChance(SEED)
  const times = new Uint8Array(DRAWS * count)
  for (let draw = 0; draw < DRAWS; draw++)
    for (let i = 0; i < count; i++) {
      const at = draw * count + Math.floor(random() * count)
      times[at] = (times[at] as number) + 1
    }
  draws = { count, times }
  return times
}

function intervalOf({ top, bottom }: Ratio, times: Uint8Array): Interval | null {
  const count = top.length
  const all = sum(bottom)
  if (all === 0) return null
  const values: number[] = []
  for (let draw = 0; draw < DRAWS; draw++) {
    let [above, below] = [0, 0]
    for (let i = 0, at = draw * count; i < count; i++, at++) {
      const often = times[at] as number
      if (often === 0) continue
      above += often * (top[i] as number)
      below += often * (bottom[i] as number)
    }
    // Sessions without any of it say nothing of it.
    if (below !== 0) values.push(above / below)
  }
  values.sort((a, b) => a - b)
  const value = sum(top) / all
  const at = (share: number) =>
    values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? value
  return { value, low: at((1 - HELD) / 2), high: at((1 + HELD) / 2) }
}

function sum(values: ArrayLike<number>): number {
  let all = 0
  for (let i = 0; i < values.length; i++) all += values[i] as number
  return all
}

function total(replays: readonly SessionReplay[], of: (one: SessionReplay) => number): number {
  return sum(replays.map(of))
}

/** A sum of which one part is unknown is unknown. */
function known(values: readonly (number | null)[]): number | null {
  return values.length === 0 || values.includes(null) ? null : sum(values.map((value) => value ?? 0))
}
