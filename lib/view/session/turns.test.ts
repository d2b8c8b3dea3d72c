import { describe, expect, it } from 'vitest'
import { callColumns } from '../../testing/builders/call-columns'
import { turnFacts, turnOf } from './turns'

describe('X5 turns', () => {
  // The builder puts call n at entry 2n: 2, 4, 6, 8.
  const calls = callColumns([{ total: 100 }, { total: 150 }, { total: null }, { total: 90 }])

  it('count their calls, and tell the size at the last one and what it grew by', () => {
    expect(turnFacts([1, 5, 7], calls, { from: 0, to: 3 })).toEqual([
      { turn: 1, seq: 1, calls: 2, lastCall: 2, total: 150, delta: null },
      { turn: 2, seq: 5, calls: 1, lastCall: 3, total: null, delta: null },
      { turn: 3, seq: 7, calls: 1, lastCall: 4, total: 90, delta: null },
    ])
    expect(turnFacts([1, 3], calls, { from: 1, to: 2 })[0]).toMatchObject({ total: 90, delta: -10 })
  })

  it('may have no call at all', () => {
    expect(turnFacts([1, 9], calls, { from: 1, to: 9 })).toEqual([
      { turn: 2, seq: 9, calls: 0, lastCall: null, total: null, delta: null },
    ])
  })

  it('know the turn of an entry', () => {
    expect([0, 1, 4, 5, 99].map((seq) => turnOf([1, 5, 7], seq))).toEqual([0, 1, 1, 2, 3])
  })
})
