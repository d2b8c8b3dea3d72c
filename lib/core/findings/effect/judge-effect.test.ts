import { describe, expect, it } from 'vitest'
import {
  SIMULATED_STORES,
  type SimulatedStore,
  simulatedVerdict,
} from '../../../testing/findings/simulated-effect'
import { type EffectSample, judgeEffect } from './judge-effect'

const samples = (count: number, value: (i: number) => number, each = 4): EffectSample[] =>
  Array.from({ length: count }, (_, i) => ({ session: `s${Math.floor(i / each)}`, at: i, value: value(i) }))
const half = () => 0.5

function shareOf(store: SimulatedStore, effect: number, kind: string, times = 40): number {
  let count = 0
  for (let seed = 0; seed < times; seed++)
    if (simulatedVerdict(store, effect, seed * 31 + 7).kind === kind) count += 1
  return count / times
}

describe('whether a remedy helped', () => {
  it.each(SIMULATED_STORES.filter(({ isDemanded }) => isDemanded))(
    'finds 15 % with 60 calls a side, and seldom what is not there: $name',
    (store) => {
      // Of a few stores; the bench demands 0.8 of a thousand.
      expect(shareOf(store, 0.85, 'helped')).toBeGreaterThanOrEqual(0.7)
      expect(shareOf(store, 1.3, 'worse')).toBeGreaterThanOrEqual(0.8)
      expect(1 - shareOf(store, 1, 'no-difference', 160)).toBeLessThanOrEqual(0.06)
    },
  )

  it('says how many calls are missing', () => {
    expect(judgeEffect(samples(60, half), samples(12, half), half)).toEqual({
      kind: 'not-enough',
      ...{ callsBefore: 60, callsAfter: 12, missingBefore: 0, missingAfter: 40 },
    })
    // One long session is a few pieces: how sessions differ is not known from it.
    expect(judgeEffect(samples(60, half, 60), samples(60, half), half)).toMatchObject({
      kind: 'not-enough',
      missingBefore: 40,
    })
  })

  it('gives the same answer for the same seed, and the means as they are', () => {
    const store = SIMULATED_STORES[0] as SimulatedStore
    expect(simulatedVerdict(store, 0.7, 5)).toEqual(simulatedVerdict(store, 0.7, 5))
    const same = judgeEffect(
      samples(40, () => 10),
      samples(40, () => 8),
      half,
    )
    expect(same).toMatchObject({ kind: 'helped', before: 10, after: 8, low: -2, high: -2 })
  })

  it('tells rates of nothing from nothing', () => {
    const none = samples(40, () => 0)
    expect(judgeEffect(none, none, half)).toMatchObject({ kind: 'no-difference', before: 0, after: 0 })
  })
})
