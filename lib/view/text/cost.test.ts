import { describe, expect, it } from 'vitest'
import { addCosts, type Cost, callCostText, costText } from './cost'

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

  const cost = (values: Partial<Cost>): Cost => ({
    ...{ usd: null, listUsd: null, calls: 9, unknownCalls: 0, unpriced: 0 },
    ...values,
  })

  it('shows an unknown price as unknown, never as 0', () => {
    expect(costText(cost({ unknownCalls: 4, unpriced: 4 }))).toMatchObject({
      text: 'unpriced',
      complete: false,
    })
    expect(costText(cost({ usd: 3.18, unknownCalls: 2, unpriced: 2 }))).toMatchObject({
      text: '$3.18+',
      complete: false,
      title: expect.stringContaining('2 calls without a price not in the sum'),
    })
  })

  it('of what was not recorded is what a list makes of it, marked as an estimate, with both parts in words', () => {
    expect(costText(cost({ listUsd: 2, unknownCalls: 9 }))).toMatchObject({ text: '≈ $2.00', complete: true })
    expect(costText(cost({ usd: 1, listUsd: 2, unknownCalls: 4, unpriced: 1 }))).toMatchObject({
      text: '≈ $3.00+',
      complete: false,
      title: expect.stringMatching(/^\$1\.00 as .* ≈ \$2\.00 at list prices or yours for 3 calls of 9 calls/),
    })
  })

  it('is complete when every call has its cost, and 0 only when nothing was billed', () => {
    expect(costText(cost({ usd: 3.18 }))).toMatchObject({ text: '$3.18', complete: true })
    expect(costText(cost({ calls: 0 })).text).toBe('–')
    expect(costText(cost({ calls: 2 })).text).toBe('$0')
  })

  it('adds up what is known and carries the rest along', () => {
    const sum = addCosts([
      cost({ usd: 1, calls: 2 }),
      cost({ listUsd: 4, calls: 3, unknownCalls: 3, unpriced: 1 }),
      cost({ usd: 0.5, calls: 1 }),
    ])
    expect(sum).toEqual({ usd: 1.5, listUsd: 4, calls: 6, unknownCalls: 3, unpriced: 1 })
    expect(addCosts([])).toMatchObject({ usd: null, listUsd: null })
  })
})
