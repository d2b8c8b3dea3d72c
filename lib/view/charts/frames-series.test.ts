import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CATEGORIES } from '../../core/tokens/category'
import { callColumns } from '../../testing/builders/call-columns'
import { columnOf, estimateMark, hasCuts, isExact, peakOf, reduceFrames } from './frames-series'

const USER = CATEGORIES.indexOf('user')

describe('X3 frames reduced to pixel columns', () => {
  it('keeps every call when there are no more calls than columns', () => {
    const calls = callColumns([{ tokens: { user: 10 } }, { tokens: { user: 20 } }])
    const series = reduceFrames(calls, { from: 1, to: 2 }, 100)
    expect(series.drawn).toEqual([1, 2])
    expect(series.total).toEqual([10, 20])
    expect(series.tokens[USER]).toEqual([10, 20])
    expect(isExact(series)).toBe(true)
  })

  it('draws the last known call of a column, and tells its smallest and largest total', () => {
    const calls = callColumns([
      { total: 50 },
      { total: 90 },
      { total: 10 },
      { total: 30, tokens: { user: 7 } },
    ])
    const series = reduceFrames(calls, { from: 1, to: 4 }, 1)
    expect(series).toMatchObject({ first: [1], drawn: [4], total: [30], min: [10], max: [90], unknown: [0] })
    expect(series.tokens[USER]).toEqual([7])
    expect(isExact(series)).toBe(false)
  })

  it('B5 keeps what the provider saw of the drawn call, and says whether it cut any', () => {
    const calls = callColumns([{ total: 50 }, { total: 90, seenTokens: 40 }, { total: 95 }, { total: 20 }])
    expect(reduceFrames(calls, { from: 1, to: 4 }, 2)).toMatchObject({ drawn: [2, 4], seen: [40, null] })
    expect(hasCuts(reduceFrames(calls, { from: 1, to: 2 }))).toBe(true)
    expect(hasCuts(reduceFrames(calls, { from: 3, to: 4 }))).toBe(false)
  })

  it('marks what is estimated, and nothing that is not there', () => {
    const series = reduceFrames(callColumns([{ tokens: { user: 7 } }]), { from: 1, to: 1 }, 1)
    expect(estimateMark(series, USER, 0)).toBe('\u202f≈')
    expect(estimateMark(series, 0, 0)).toBe('')
  })

  it('leaves a gap where no call of a column is known, and never makes it 0', () => {
    const calls = callColumns([{ total: 5 }, { total: null }, { total: null }, { total: 8 }])
    const series = reduceFrames(calls, { from: 1, to: 4 }, 4)
    expect(series.total).toEqual([5, null, null, 8])
    expect(series.min).toEqual([5, null, null, 8])
    expect(series.basis).toBe('muum')
  })

  it('passes over an unknown last call when an earlier one of the column is known', () => {
    const series = reduceFrames(callColumns([{ total: 5 }, { total: null }]), { from: 1, to: 2 }, 1)
    expect(series).toMatchObject({ drawn: [1], total: [5], unknown: [1] })
  })

  it('clips a range to the calls that exist', () => {
    const calls = callColumns([{ total: 1 }, { total: 2 }, { total: 3 }], 11)
    expect(reduceFrames(calls, { from: 1, to: 99 }, 10)).toMatchObject({
      from: 11,
      to: 13,
      drawn: [11, 12, 13],
    })
    expect(reduceFrames(calls, { from: 50, to: 60 }, 10).drawn).toEqual([])
  })

  it('covers every call exactly once, with the extremes of all calls kept', () => {
    const total = fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 200_000 }))
    fc.assert(
      fc.property(
        fc.array(total, { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 1, max: 90 }),
        (totals, columns) => {
          const series = reduceFrames(
            callColumns(totals.map((t) => ({ total: t }))),
            { from: 1, to: totals.length },
            columns,
          )
          const known = totals.filter((t) => t !== null)
          expect(series.first.length).toBe(Math.min(columns, totals.length))
          expect(series.first[0]).toBe(1)
          expect(peakOf(series)).toBe(known.length === 0 ? null : Math.max(...known))
          const lows = series.min.filter((t) => t !== null)
          if (known.length > 0) expect(Math.min(...lows)).toBe(Math.min(...known))
          expect(series.unknown.reduce((a, b) => a + b, 0)).toBe(totals.length - known.length)
          totals.forEach((_, i) => {
            const column = columnOf(series, i + 1) ?? -1
            expect(series.first[column]).toBeLessThanOrEqual(i + 1)
            expect(series.first[column + 1] ?? Number.POSITIVE_INFINITY).toBeGreaterThan(i + 1)
          })
        },
      ),
      { numRuns: 60 },
    )
  })

  it('stays small for 20,000 calls: one column per pixel, not per call', () => {
    const calls = callColumns(
      Array.from({ length: 20_000 }, (_, i) => ({ tokens: { user: i, 'tool-result': 150_000 } })),
    )
    const series = reduceFrames(calls, { from: 1, to: 20_000 })
    expect(series.total.length).toBe(720)
    expect(JSON.stringify(series).length).toBeLessThan(100_000)
  })
})
