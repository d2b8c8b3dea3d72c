import { describe, expect, it } from 'vitest'
import { addCosts, callCostText, costText } from './cost'

describe('X6: cost', () => {
  it('of one call is what was recorded; a list price is said to be one, and not billed', () => {
    expect(callCostText({ costUsd: 0.25, listUsd: null, listFrom: null })).toBe('$0.25')
    expect(callCostText({ costUsd: null, listUsd: 1.5, listFrom: 'list' })).toBe(
      'not recorded; ≈ $1.50 at list price, not billed',
    )
    expect(callCostText({ costUsd: null, listUsd: 1.5, listFrom: 'settings' })).toBe(
      'not recorded; ≈ $1.50 at the prices of your settings, not billed',
    )
    expect(callCostText({ costUsd: null, listUsd: null, listFrom: null })).toBe('?')
  })

  it('shows an unknown price as unknown, never as 0', () => {
    expect(costText({ usd: null, calls: 4, unknownCalls: 4 })).toMatchObject({ text: '?', complete: false })
    expect(costText({ usd: 3.18, calls: 9, unknownCalls: 2 })).toMatchObject({
      text: '$3.18 + ?',
      complete: false,
      title: expect.stringContaining('2 calls of 9 calls'),
    })
  })

  it('is complete when every call has its cost, and 0 only when nothing was billed', () => {
    expect(costText({ usd: 3.18, calls: 9, unknownCalls: 0 })).toMatchObject({
      text: '$3.18',
      complete: true,
    })
    expect(costText({ usd: null, calls: 0, unknownCalls: 0 }).text).toBe('$0')
    expect(costText({ usd: null, calls: 2, unknownCalls: 0 }).text).toBe('$0')
  })

  it('adds up what is known and carries the rest along', () => {
    const sum = addCosts([
      { usd: 1, calls: 2, unknownCalls: 0 },
      { usd: null, calls: 3, unknownCalls: 3 },
      { usd: 0.5, calls: 1, unknownCalls: 0 },
    ])
    expect(sum).toEqual({ usd: 1.5, calls: 6, unknownCalls: 3 })
    expect(addCosts([]).usd).toBeNull()
  })
})
