import type { Tokens } from '../units/units'
import { type DropSetting, type JudgedDrop, speaksAgainst, whatIf } from './what-if'

/** Fewer drops with a score say nothing. */
export const LEAST_DROPS = 20
/** Of what is dropped, so large a share may turn out to have been wanted: the other side of 95 % retention. */
export const MOST_AGAINST = 0.05
/** A cut-off at which less than this share of the drops is left is no way to drop chunks. */
const LEAST_LEFT = 0.25
/** Steps of a cut-off. */
const STEP = 0.01

/** A key of a policy, under the names of both kinds of file. */
type AdvisedKey = {
  readonly key: 'relevance.cutoff'
  readonly seedKey: 'RELEVANCE_CUTOFF'
  readonly from: number
  readonly to: number
}

/**
 * What the logs say about the cut-off. `drops`: those that it would drop as well; `against`: share of them that were
 * wanted later, 0 to 1.
 */
export type CutoffAdvice =
  /** `drops`: all that have a score. */
  | { readonly kind: 'too-few'; readonly drops: number; readonly wanted: number }
  /** The setting holds, or no lower one would; a higher one cannot be judged by what was dropped. */
  | { readonly kind: 'stay'; readonly drops: number; readonly against: number }
  | {
      readonly kind: 'lower'
      readonly drops: number
      readonly against: number
      readonly change: AdvisedKey
      /** Share that would be wanted later at the advised cut-off. */
      readonly thenAgainst: number
    }

/**
 * Says which key to change, and to what: the highest cut-off below the present one at which no more than `MOST_AGAINST`
 * of what it drops was recovered or needed later, and that still drops a good part of it. It never advises a higher
 * one: what stayed is in no log.
 */
export function adviseCutoff(drops: readonly JudgedDrop[], setting: DropSetting): CutoffAdvice {
  const scored = drops.filter(({ score }) => score !== null)
  if (scored.length < LEAST_DROPS) return { kind: 'too-few', drops: scored.length, wanted: LEAST_DROPS }
  const now = againstShare(scored, setting)
  const dropped = whatIf(scored, setting).parts.drop.chunks
  if (now <= MOST_AGAINST) return { kind: 'stay', drops: dropped, against: now }
  for (let steps = Math.ceil(setting.cutoff / STEP) - 1; steps >= 0; steps--) {
    const cutoff = Math.round(steps) / (1 / STEP)
    const thenAgainst = againstShare(scored, { ...setting, cutoff })
    const left = whatIf(scored, { ...setting, cutoff }).parts.drop.chunks
    if (left < dropped * LEAST_LEFT) break
    if (thenAgainst > MOST_AGAINST) continue
    const change = {
      key: 'relevance.cutoff',
      seedKey: 'RELEVANCE_CUTOFF',
      from: setting.cutoff,
      to: cutoff,
    } as const
    return { kind: 'lower', drops: dropped, against: now, change, thenAgainst }
  }
  return { kind: 'stay', drops: dropped, against: now }
}

/** One point of the curve over cut-offs. */
export type CutoffPoint = {
  readonly cutoff: number
  readonly dropped: number
  readonly tokens: Tokens
  readonly against: number
}

/** What each cut-off would drop of the logged drops, and how much of that was wanted later; from 0 to `top`. */
export function cutoffCurve(drops: readonly JudgedDrop[], top: number, points = 50): CutoffPoint[] {
  const scored = drops
    .flatMap(({ score, tokens, ...drop }) =>
      score === null ? [] : [{ score, tokens: tokens ?? 0, against: speaksAgainst(drop) }],
    )
    .toSorted((a, b) => a.score - b.score)
  let [next, tokens, against] = [0, 0, 0]
  return Array.from({ length: points + 1 }, (_, i) => {
    const cutoff = (i / points) * top
    for (let one = scored[next]; one !== undefined && one.score <= cutoff + 1e-9; one = scored[next]) {
      tokens += one.tokens
      if (one.against) against += 1
      next += 1
    }
    return { cutoff, dropped: next, tokens, against }
  })
}

function againstShare(drops: readonly JudgedDrop[], setting: DropSetting): number {
  const { drop } = whatIf(drops, setting).parts
  return drop.chunks === 0 ? 0 : drop.against / drop.chunks
}
