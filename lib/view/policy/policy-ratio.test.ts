import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import {
  keyStep,
  moveEdge,
  type RatioShares,
  ratiosOf,
  regionRows,
  setShare,
  sharesOf,
  stepFrom,
} from './policy-ratio'

const DEFAULT: RatioShares = [1500, 1000, 4500, 2000, 1000]
const sum = (shares: RatioShares) => shares.reduce((a, b) => a + b, 0)

const anyShares = fc
  .array(fc.integer({ min: 0, max: 10_000 }), { minLength: 4, maxLength: 4 })
  .map((cuts) => [...cuts].sort((a, b) => a - b))
  .map(([a = 0, b = 0, c = 0, d = 0]): RatioShares => [a, b - a, c - b, d - c, 10_000 - d])

describe('X8 A2 the ratio bar', () => {
  it('shows the ratios of the policy and what they leave', () => {
    expect(sharesOf(DEFAULT_POLICY.budget)).toEqual(DEFAULT)
    expect(ratiosOf(DEFAULT)).toEqual({
      'budget.systemPromptRatio': 0.15,
      'budget.bootstrapRatio': 0.1,
      'budget.historyRatio': 0.45,
      'budget.responseRatio': 0.2,
    })
  })

  it('an edge takes from the neighbour and moves nothing else', () => {
    expect(moveEdge(DEFAULT, 0, 2000)).toEqual([2000, 500, 4500, 2000, 1000])
    expect(moveEdge(DEFAULT, 0, 9000)).toEqual([2500, 0, 4500, 2000, 1000])
    expect(moveEdge(DEFAULT, 3, 9500)).toEqual([1500, 1000, 4500, 2500, 500])
    expect(moveEdge(DEFAULT, 2, 0)).toEqual([1500, 1000, 0, 6500, 1000])
  })

  it('a share that is typed takes from the reserve first, then from those behind it', () => {
    expect(setShare(DEFAULT, 0, 2000)).toEqual([2000, 1000, 4500, 2000, 500])
    expect(setShare(DEFAULT, 0, 3500)).toEqual([3500, 0, 4500, 2000, 0])
    expect(setShare(DEFAULT, 2, 3000)).toEqual([1500, 1000, 3000, 2000, 2500])
    expect(setShare(DEFAULT, 4, 3500)).toEqual([1500, 1000, 4000, 0, 3500])
    expect(setShare(DEFAULT, 4, 0)).toEqual([1500, 1000, 4500, 3000, 0])
  })

  it('always sums to the window, and no share is negative, whatever is moved', () => {
    fc.assert(
      fc.property(
        anyShares,
        fc.array(fc.tuple(fc.boolean(), fc.nat(4), fc.integer({ min: -500, max: 12_000 })), {
          maxLength: 20,
        }),
        (start, moves) => {
          let shares = start
          for (const [typed, at, to] of moves) {
            shares = typed ? setShare(shares, at, to) : moveEdge(shares, Math.min(at, 3), to)
            expect(sum(shares)).toBe(10_000)
            expect(Math.min(...shares)).toBeGreaterThanOrEqual(0)
          }
        },
      ),
    )
  })

  it('arrows move by 1 %, with shift by 5 %, onto the grid', () => {
    expect([keyStep('ArrowRight', false), keyStep('ArrowDown', true), keyStep('a', false)]).toEqual([
      100, -500, 0,
    ])
    expect([stepFrom(1540, 100), stepFrom(1540, -100), stepFrom(1500, 100)]).toEqual([1600, 1500, 1600])
    expect([stepFrom(7100, -500), stepFrom(1540, 500)]).toEqual([6600, 2000])
  })

  it('A3 small windows show what the regions really get', () => {
    const rows = regionRows(DEFAULT_POLICY.budget, 8000)
    expect(rows.map((row) => [row.region, row.tokens, row.note])).toEqual([
      ['systemPrompt', 1200, null],
      ['bootstrap', 800, null],
      ['history', 1104, 'gives way to the minimum response'],
      ['response', 4096, 'raised to the minimum response'],
      ['reserve', 800, null],
    ])
    expect(regionRows(DEFAULT_POLICY.budget, 200_000).every((row) => row.note === null)).toBe(true)
  })
})
