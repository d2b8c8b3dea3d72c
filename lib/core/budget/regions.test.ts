import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { REGIONS, splitWindow } from './regions'

describe('regions', () => {
  it('A2 splits 200k into the five regions', () => {
    expect(splitWindow(200_000)).toEqual({
      systemPrompt: 30_000,
      bootstrap: 20_000,
      history: 90_000,
      response: 40_000,
      reserve: 20_000,
    })
  })

  it('A3 takes the minimum response from history', () => {
    expect(splitWindow(8_000)).toEqual({
      systemPrompt: 1_200,
      bootstrap: 800,
      history: 1_104,
      response: 4_096,
      reserve: 800,
    })
    expect(splitWindow(6_301).history).toBe(0)
    expect(splitWindow(6_310).history).toBeGreaterThan(0)
  })

  it('A2 never gives away more than there is, or less', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_000_000 }), (window) => {
        const parts = splitWindow(window)
        expect(REGIONS.reduce((sum, region) => sum + parts[region], 0)).toBe(window)
        expect(Math.min(...Object.values(parts))).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})
