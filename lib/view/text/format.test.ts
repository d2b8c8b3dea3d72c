import { describe, expect, it } from 'vitest'
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatPercent,
  formatQuantity,
  formatShort,
  formatUsd,
} from './format'

/** Narrow no-break spaces made visible. */
const seen = (text: string) => text.replaceAll('\u202f', '·')

describe('numbers', () => {
  it('parts thousands, and keeps the parts together', () => {
    expect([0, 999, 1000, 142310, 1234567, -4200.4].map((value) => formatCount(value)).map(seen)).toEqual([
      '0',
      '999',
      '1·000',
      '142·310',
      '1·234·567',
      '−4·200',
    ])
  })

  it('shortens to three digits without ever printing 1000k', () => {
    const values = [0, 12, 999, 1000, 1234, 12_340, 142_310, 999_499, 999_500, 1_240_000, 12_400_000, 4e12]
    expect(values.map(formatShort)).toEqual([
      '0',
      '12',
      '999',
      '1k',
      '1.23k',
      '12.3k',
      '142k',
      '999k',
      '1M',
      '1.24M',
      '12.4M',
      '4T',
    ])
    expect(formatShort(-1500)).toBe('−1.5k')
  })

  it('keeps whole hundreds', () => {
    expect(formatShort(100_000)).toBe('100k')
    expect(formatShort(200_000_000)).toBe('200M')
  })

  it('writes bytes and lengths of time', () => {
    expect([0, 999, 48_200, 1_070_000_000].map(formatBytes).map(seen)).toEqual([
      '0·B',
      '999·B',
      '48.2·kB',
      '1.07·GB',
    ])
    expect([850, 31_000, 245_000, 240_000, 7_500_000, 273_600_000].map(formatDuration).map(seen)).toEqual([
      '850·ms',
      '31·s',
      '4·min 05·s',
      '4·min',
      '2·h 05·min',
      '3·d 04·h',
    ])
  })

  it('never rounds money or a share down to nothing', () => {
    expect([0, 0.00001, 0.0042, 0.082, 0.31, 3.184, 2214.86, 12_345.6].map(formatUsd).map(seen)).toEqual([
      '$0',
      '<$0.0001',
      '$0.0042',
      '$0.082',
      '$0.31',
      '$3.18',
      '$2·214.86',
      '$12·346',
    ])
    expect([0, 0.0001, 0.004, 0.0994, 0.5, 0.912, 1.17].map(formatPercent).map(seen)).toEqual([
      '0·%',
      '<0.1·%',
      '0.4·%',
      '9.9·%',
      '50·%',
      '91·%',
      '117·%',
    ])
  })

  it('counts things', () => {
    expect(formatQuantity(1, 'call')).toBe('1 call')
    expect(seen(formatQuantity(1204, 'entry', 'entries'))).toBe('1·204 entries')
  })
})
