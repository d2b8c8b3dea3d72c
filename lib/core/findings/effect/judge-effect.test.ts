import { describe, expect, it } from 'vitest'
import {
  SIMULATED_STORES,
  type SimulatedStore,
  simulatedVerdict,
} from '../../../testing/findings/simulated-effect'
import { type EffectSample, judgeEffect } from './judge-effect'

const samples = (count: number, value: (i: number) => number, each = 4, from = 0): EffectSample[] =>
  Array.from({ length: count }, (_, i) => {
    const session = `s${from + Math.floor(i / each)}`
    return { session, stretch: `${session} 0`, kind: 'talk', at: i, value: value(i), place: [] }
  })
const half = () => 0.5
const storeNamed = (name: string) => SIMULATED_STORES.find((store) => store.name === name) as SimulatedStore

function shareOf(store: SimulatedStore, effect: number, kind: string, times = 30): number {
  let count = 0
  for (let seed = 0; seed < times; seed++)
    if (simulatedVerdict(store, effect, seed * 31 + 7).kind === kind) count += 1
  return count / times
}

describe('whether a remedy helped', () => {
  it.each(['short sessions', 'sessions that differ much and go on over the change', 'one session for all'])(
    'finds 15 % with 60 calls a side, and seldom what is not there: %s',
    (name) => {
      const store = storeNamed(name)
      // Of a few stores; the bench demands more of a thousand.
      expect(shareOf(store, 0.85, 'helped')).toBeGreaterThanOrEqual(0.65)
      expect(shareOf(store, 1.3, 'worse')).toBeGreaterThanOrEqual(0.8)
      expect(shareOf(store, 1, 'helped') + shareOf(store, 1, 'worse')).toBeLessThanOrEqual(0.1)
    },
  )

  it('is not misled by few long sessions that differ much', () => {
    const store = storeNamed('long sessions that differ much')
    expect(shareOf(store, 1, 'helped') + shareOf(store, 1, 'worse')).toBeLessThanOrEqual(0.1)
    expect(shareOf(store, 1, 'no-difference')).toBeLessThanOrEqual(0.1)
  })

  it('says how many calls are missing', () => {
    expect(judgeEffect(samples(60, half), samples(12, half, 4, 50), 'linear', half)).toEqual({
      kind: 'not-enough',
      ...{ callsBefore: 60, callsAfter: 12, missingBefore: 0, missingAfter: 18, soFar: null },
    })
    expect(judgeEffect(samples(60, half), [], 'linear', half)).toMatchObject({
      ...{ callsBefore: 60, callsAfter: 0, missingBefore: 0, missingAfter: 30 },
    })
    // Two long sessions: how sessions differ is not known from them.
    expect(judgeEffect(samples(60, half, 60), samples(60, half, 60, 50), 'linear', half)).toMatchObject({
      kind: 'not-enough',
      soFar: null,
    })
    const noisy = (i: number) => 100 + 60 * Math.sin(i * i)
    expect(judgeEffect(samples(2_000, noisy), samples(40, noisy, 4, 900), 'log', half)).toMatchObject({
      ...{ kind: 'not-enough', missingBefore: 0, missingAfter: expect.any(Number) },
      soFar: { before: expect.any(Number) },
    })
  })

  it('compares calls of one sort alone, at like places', () => {
    const talk = samples(60, () => 100)
    const polls = samples(60, () => 10, 4, 50).map((one) => ({ ...one, kind: 'poll' }))
    const later = samples(60, () => 100, 4, 100)
    expect(judgeEffect([...talk, ...polls], later, 'log', half)).toMatchObject({
      ...{ kind: 'no-difference', before: 100, after: expect.closeTo(100, 6), callsBefore: 60 },
    })
    const grown = (place: number) => (one: EffectSample) => ({
      ...one,
      ...{ value: 100 * Math.exp(0.3 * place), place: [place] },
    })
    const early = samples(60, half).map((one, i) => grown(i % 3)(one))
    const late = samples(60, half, 4, 50).map((one, i) => grown((i % 3) + 2)(one))
    const verdict = judgeEffect(early, late, 'log', half)
    expect(verdict.kind).toBe('no-difference')
  })

  it('gives the same answer for the same seed, and the means as they are', () => {
    const store = storeNamed('short sessions')
    expect(simulatedVerdict(store, 0.7, 5)).toEqual(simulatedVerdict(store, 0.7, 5))
    const ten = (i: number) => 10 + (i % 2) * 0.001
    const eight = (i: number) => 8 + (i % 2) * 0.001
    const same = judgeEffect(samples(40, ten), samples(40, eight, 4, 50), 'log', half)
    expect(same).toMatchObject({ kind: 'helped', before: expect.closeTo(10, 2), after: expect.closeTo(8, 2) })
  })

  it('tells rates of nothing from nothing', () => {
    const none = (from: number) => samples(40, () => 0, 4, from)
    expect(judgeEffect(none(0), none(50), 'linear', half)).toMatchObject({
      ...{ kind: 'no-difference', before: 0, after: 0 },
    })
  })
})
