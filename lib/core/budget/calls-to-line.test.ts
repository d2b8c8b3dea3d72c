import { describe, expect, it } from 'vitest'
import { callsToLine } from './calls-to-line'

describe('calls to the line', () => {
  it('divides what is left by the mean growth per call', () => {
    expect(callsToLine({ trend: [10_000, 12_000, 14_000, 16_000], current: 16_000, line: 25_000 })).toBe(5)
  })

  it('counts only what came after the last compaction', () => {
    const trend = [90_000, 180_000, 40_000, 41_000, 42_000, 43_000]
    expect(callsToLine({ trend, current: 43_000, line: 50_000 })).toBe(7)
  })

  it('passes over calls whose size is unknown', () => {
    expect(
      callsToLine({ trend: [1_000, null, 2_000, null, 3_000, 4_000], current: 4_000, line: 6_000 }),
    ).toBe(2)
  })

  it('counts from the last fall below four fifths, and takes at most a thousand calls', () => {
    const steady = [1_000, 800, 900, 1_000, 1_100]
    // A fall to four fifths exactly is no new beginning: (1,100 − 1,000) ÷ 4 a call.
    expect(callsToLine({ trend: steady, current: 1_100, line: 1_200 })).toBe(4)
    expect(callsToLine({ trend: [1_000, 799, 900, 1_000, 1_100], current: 1_100, line: 1_200 })).toBe(1)
    expect(callsToLine({ trend: [1, 2, 3, 4], current: 4, line: 1_004 })).toBe(1_000)
    expect(callsToLine({ trend: [1, 2, 3, 4], current: 4, line: 1_005 })).toBeNull()
    expect(callsToLine({ trend: [1, 101, 201, 301], current: 301, line: 302 })).toBe(1)
  })

  it('passes over calls of size 0 as over unknown ones, and a pace of nothing is none', () => {
    expect(callsToLine({ trend: [10, 0, 20, -5, 30, 40], current: 40, line: 60 })).toBe(2)
    expect(callsToLine({ trend: [0, 0, 0, 10, 20, 30], current: 30, line: 60 })).toBeNull()
    expect(callsToLine({ trend: [50, 50, 50, 50], current: 50, line: 60 })).toBeNull()
  })

  it('says nothing when the line is passed, nothing grows, or too little is known', () => {
    expect(callsToLine({ trend: [1, 2, 3, 4, 5], current: 9, line: 9 })).toBeNull()
    expect(callsToLine({ trend: [500, 490, 480, 470], current: 470, line: 900 })).toBeNull()
    expect(callsToLine({ trend: [100, 200, 300], current: 300, line: 900 })).toBeNull()
    expect(callsToLine({ trend: [], current: 300, line: 900 })).toBeNull()
    expect(
      callsToLine({ trend: [10_000, 10_001, 10_002, 10_003], current: 10_003, line: 100_000 }),
    ).toBeNull()
  })
})
