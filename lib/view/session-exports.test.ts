import { describe, expect, it } from 'vitest'
import { callColumns } from '../testing/builders/call-columns'
import { compositionOf } from './composition'
import { compositionCsv } from './composition-csv'
import { framesCsv } from './frames-csv'
import { reduceFrames } from './frames-series'

const calls = callColumns([
  { tokens: { user: 40, 'tool-result': 60 }, errorPct: 4, at: Date.UTC(2026, 6, 1) },
  { total: null, at: null },
])

describe('X3 charts as CSV', () => {
  it('writes frames with their basis, and leaves unknown values empty', () => {
    const lines = framesCsv(reduceFrames(calls, { from: 1, to: 2 }))
      .trim()
      .split('\r\n')
    expect(lines[0]).toMatch(/^call,time,total,basis,first_call,min,max,system-prompt,/)
    expect(lines[1]).toMatch(/^1,2026-07-01T00:00:00.000Z,100,measured,1,100,100,0,0,0,0,0,0,40,/)
    expect(lines[2]).toMatch(/^2,,,unknown,2,,,,,/)
  })

  it('writes a composition with the total last', () => {
    const composition = compositionOf(calls, 1)
    expect(composition && compositionCsv(composition).trim().split('\r\n')).toEqual([
      'call,category,tokens,share,basis,error_pct,delta',
      '1,user,40,0.4,estimated,4,',
      '1,tool-result,60,0.6,estimated,4,',
      '1,total,100,1,measured,,',
    ])
  })
})
