import { describe, expect, it } from 'vitest'
import { estimated, measured, UNKNOWN } from '../../core/tokens/figure'
import { figureText } from './figure-text'

describe('a number and its basis', () => {
  it('marks nothing when measured', () => {
    expect(figureText(measured(142_310), 'short')).toEqual({
      value: '142k',
      mark: '',
      title: '142\u202f310, measured',
    })
  })

  it('marks an estimate and says how far off it may be', () => {
    expect(figureText(estimated(1200, 8), 'count')).toEqual({
      value: '1\u202f200',
      mark: '≈',
      title: 'estimated ± 8\u202f%',
    })
  })

  it('has no number for what is unknown', () => {
    expect(figureText(UNKNOWN, 'usd')).toMatchObject({ value: null, mark: '?' })
  })
})
