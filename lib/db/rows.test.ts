import { describe, expect, it } from 'vitest'
import type { Frame } from '../core/tokens/frame'
import { basesOf, categoriesJsonOf, frameOfRow } from './call-row'

describe('rows of the database', () => {
  it('give back the frame that they were made from', () => {
    const frame: Frame = {
      call: 2,
      seq: 3,
      at: 5,
      provider: 'p',
      model: 'm',
      window: { tokens: 200_000, source: 'model' },
      total: { value: 100, basis: 'estimated', errorPct: 4 },
      categories: { user: 40, residual: 60 },
      basis: { user: 'measured', residual: 'estimated' },
      errorPct: 9,
      output: { value: null, basis: 'unknown' },
      cacheRead: 0,
      cacheWrite: null,
      stopReason: 'stop',
    }
    const row = {
      n: 2,
      seq: 3,
      at: 5,
      provider: 'p',
      model: 'm',
      window: 200_000,
      windowSource: 'model',
      total: 100,
      basis: 'estimated',
      errorPct: 4,
      splitErrorPct: 9,
      categoriesJson: categoriesJsonOf(frame),
      bases: basesOf(frame),
      output: null,
      cacheRead: 0,
      cacheWrite: null,
      stopReason: 'stop',
    }
    expect(frameOfRow(row)).toEqual(frame)
  })
})
