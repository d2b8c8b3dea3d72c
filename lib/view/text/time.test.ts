import { describe, expect, it } from 'vitest'
import { absoluteTimeUtc, dayLabel, relativeTime } from './time'

const NOW = Date.UTC(2026, 6, 1, 12)
const ago = (ms: number) => relativeTime(NOW - ms, NOW).replaceAll('\u202f', ' ')

describe('moments', () => {
  it('says how long ago', () => {
    expect([0, 1_999, 4_000, 59_999, 60_000, 3_600_000, 47 * 3_600_000, 48 * 3_600_000].map(ago)).toEqual([
      'now',
      'now',
      '4 s ago',
      '59 s ago',
      '1 min ago',
      '1 h ago',
      '47 h ago',
      '2 d ago',
    ])
  })

  it('names the day when it is long ago, and what lies ahead when clocks differ', () => {
    expect(ago(61 * 86_400_000)).toBe('2026-05-01')
    expect(ago(-5_000)).toBe('in 5 s')
  })

  it('gives the absolute time', () => {
    expect(absoluteTimeUtc(NOW)).toBe('2026-07-01 12:00:00 UTC')
    expect(dayLabel('2026-07-01')).toBe('1 Jul')
  })
})
