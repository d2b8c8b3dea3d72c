import { describe, expect, it } from 'vitest'
import { callColumns } from '../../testing/builders/call-columns'
import { callsCsv } from './calls-csv'
import { compositionOf } from './composition'
import { compositionCsv } from './composition-csv'

const calls = callColumns([
  { tokens: { user: 40, 'tool-result': 60 }, errorPct: 4, at: Date.UTC(2026, 6, 1) },
  { total: null, at: null },
])

describe('X3 charts as CSV', () => {
  it('writes every call with its basis, and leaves unknown values empty', () => {
    const lines = [...callsCsv(calls)].join('').trim().split('\r\n')
    expect(lines[0]).toMatch(/^call,time,model,window,total,basis,error_pct,.*,stop_reason,system-prompt,/)
    expect(lines[1]).toMatch(/^1,2026-07-01T00:00:00.000Z,.*,100,measured,4,.*,0,0,0,0,0,0,40,/)
    expect(lines[2]).toMatch(/^2,,.*,unknown,.*,,,,,,/)
  })

  it('writes more calls than a chart has columns, each once, in parts', () => {
    const many = callColumns(Array.from({ length: 5_000 }, (_, i) => ({ tokens: { user: i } })))
    const parts = [...callsCsv(many)]
    expect(parts).toHaveLength(4)
    const rows = parts.join('').trim().split('\r\n').slice(1)
    expect(rows.map((row) => Number(row.split(',')[0]))).toEqual(many.seq.map((_, i) => i + 1))
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
