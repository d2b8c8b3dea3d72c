import { describe, expect, it } from 'vitest'
import { callColumns } from '../../testing/builders/call-columns'
import { compositionOf, drivers } from './composition'

const calls = callColumns([
  { tokens: { user: 100, 'tool-result': 900 }, errorPct: 4 },
  { tokens: { user: 150, 'tool-result': 600, summary: 250 }, errorPct: 4 },
  { total: null },
  { tokens: { user: 10 } },
])

describe('X3 composition of a call', () => {
  it('lists categories in stacking order with tokens, share, basis and change', () => {
    const composition = compositionOf(calls, 2)
    expect(composition?.rows).toEqual([
      {
        category: 'summary',
        tokens: { value: 250, basis: 'estimated', errorPct: 4 },
        share: 0.25,
        delta: 250,
      },
      { category: 'user', tokens: { value: 150, basis: 'estimated', errorPct: 4 }, share: 0.15, delta: 50 },
      {
        category: 'tool-result',
        tokens: { value: 600, basis: 'estimated', errorPct: 4 },
        share: 0.6,
        delta: -300,
      },
    ])
    expect(composition?.total).toEqual({ value: 1000, basis: 'measured' })
    expect(composition?.delta).toBe(0)
  })

  it('names what grew and shrank, the largest change first', () => {
    const composition = compositionOf(calls, 2)
    expect(composition && drivers(composition)).toEqual([
      { category: 'tool-result', delta: -300 },
      { category: 'summary', delta: 250 },
      { category: 'user', delta: 50 },
    ])
  })

  it('knows no change for the first call', () => {
    expect(compositionOf(calls, 1)).toMatchObject({ delta: null, rows: [{ delta: null }, { delta: null }] })
  })

  it('has neither shares nor changes where a total is unknown', () => {
    expect(compositionOf(calls, 3)).toMatchObject({ total: { value: null, basis: 'unknown' }, delta: null })
    expect(compositionOf(calls, 4)).toMatchObject({ delta: null, rows: [{ delta: null, share: 1 }] })
  })

  it('is null for a call that is not there', () => {
    expect(compositionOf(calls, 5)).toBeNull()
  })
})
