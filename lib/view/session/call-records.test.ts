import { describe, expect, it } from 'vitest'
import type { CallRecord } from '../../core/tokens/call-record'
import { CATEGORIES } from '../../core/tokens/category'
import { sliceCalls, windowAt } from './call-columns'
import { columnsOfCalls } from './call-records'

function call(n: number, values: Partial<CallRecord> = {}): CallRecord {
  return {
    n,
    seq: n * 2,
    at: null,
    provider: 'anthropic',
    model: 'a',
    window: 200_000,
    windowSource: 'model',
    believed: null,
    total: 100,
    basis: 'measured',
    errorPct: null,
    splitErrorPct: 5,
    bases: 'e'.repeat(CATEGORIES.length),
    output: null,
    cacheRead: null,
    cacheWrite: null,
    costUsd: null,
    listUsd: null,
    listFrom: null,
    stopReason: null,
    seenTokens: null,
    sent: null,
    sentErrorPct: null,
    tokens: CATEGORIES.map((_, index) => index),
    ...values,
  }
}

describe('X3 calls as columns', () => {
  const columns = columnsOfCalls([
    call(1),
    call(2, { basis: 'estimated', model: 'b', window: 1_000_000 }),
    call(3, { basis: 'unknown', total: null, model: null, window: 1_000_000 }),
    call(4, { stopReason: 'x\u001b[2J' }),
  ])

  it('keeps bases, models and windows apart', () => {
    expect(columns.basis).toBe('meum')
    expect(columns.models).toEqual(['anthropic/a', 'anthropic/b'])
    expect(columns.model).toEqual([0, 1, -1, 0])
    expect(columns.windows.map((span) => [span.from, span.tokens])).toEqual([
      [1, 200_000],
      [2, 1_000_000],
      [4, 200_000],
    ])
    expect(columns.tokens[3]).toEqual([3, 3, 3, 3])
  })

  it('does not let names from a transcript act', () => {
    expect(columns.stopReason[3]).toBe('x⟨ESC⟩[2J')
  })

  it('slices to a range, with the window that holds there', () => {
    const slice = sliceCalls(columns, 3, 99)
    expect(slice).toMatchObject({ from: 3, seq: [6, 8], total: [null, 100], basis: 'um' })
    expect(windowAt(slice.windows, 3)?.tokens).toBe(1_000_000)
    expect(windowAt(slice.windows, 4)?.tokens).toBe(200_000)
    expect(sliceCalls(columns, 9, 12).seq).toEqual([])
  })
})
