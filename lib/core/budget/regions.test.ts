import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../policy/default-policy'
import { historyBudget, REGIONS, splitWindow } from './regions'

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

  it('A2 gives what is left where ratios add up to more than the window', () => {
    const of = (ratios: Partial<typeof DEFAULT_POLICY.budget>) =>
      splitWindow(1_000, { ...DEFAULT_POLICY.budget, minResponseTokens: 0, ...ratios })
    expect(of({ systemPromptRatio: 0.8, bootstrapRatio: 0.5 })).toEqual({
      ...{ systemPrompt: 800, bootstrap: 200, history: 0, response: 0, reserve: 0 },
    })
    const much = { systemPromptRatio: 0.1, bootstrapRatio: 0.1, historyRatio: 0.9, responseRatio: 0.3 }
    expect(of(much)).toEqual({
      ...{ systemPrompt: 100, bootstrap: 100, history: 500, response: 300, reserve: 0 },
    })
  })

  it('A6 leaves the reserve alone unless it is given to history', () => {
    const overrun = { system: 60_000, bootstrap: 30_000 }
    const of = (reserveForHistory: boolean) =>
      historyBudget(200_000, { ...DEFAULT_POLICY.budget, reallocate: true, reserveForHistory }, overrun)
    expect(of(false)).toEqual({ formula: 90_000, clamped: 50_000 })
    expect(of(true)).toEqual({ formula: 110_000, clamped: 70_000 })
  })
})
