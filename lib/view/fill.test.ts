import { describe, expect, it } from 'vitest'
import { type FillFacts, fillView } from './fill'

const facts = (values: Partial<FillFacts>): FillFacts => ({
  window: 200_000,
  windowSource: 'index',
  contextTokens: 90_000,
  contextBasis: 'measured',
  contextErrorPct: null,
  trend: [],
  ...values,
})

describe('fill against the load lines', () => {
  it('names its denominator', () => {
    const fill = fillView(facts({}))
    expect(fill.share).toBe(0.5)
    expect(fill.denominator).toBe('of 180k effective budget; window 200k, reserve 20k')
    expect(fillView(facts({ windowSource: 'default' })).denominator).toContain('window 200k (assumed)')
  })

  it('says which line was passed, in word and tone', () => {
    expect(fillView(facts({ contextTokens: 70_000 }))).toMatchObject({ passed: null, tone: 'neutral' })
    expect(fillView(facts({ contextTokens: 100_000 }))).toMatchObject({
      passed: 'compact',
      tone: 'attention',
    })
    expect(fillView(facts({ contextTokens: 190_000 }))).toMatchObject({ passed: 'hard', tone: 'danger' })
  })

  it('forecasts the next marked line', () => {
    const trend = [60_000, 70_000, 80_000, 90_000]
    expect(fillView(facts({ trend })).next).toEqual({ name: 'compact', calls: 1 })
    expect(fillView(facts({ contextTokens: 190_000, trend })).next).toBeNull()
  })

  it('draws no share of what is unknown', () => {
    const unknownFill = fillView(facts({ contextTokens: null, contextBasis: 'unknown' }))
    expect(unknownFill).toMatchObject({ share: null, passed: null, next: null })
    expect(unknownFill.lines.length).toBeGreaterThan(0)
    const unknownWindow = fillView(facts({ window: null }))
    expect(unknownWindow).toMatchObject({ share: null, budget: null, lines: [] })
    expect(unknownWindow.tokens.value).toBe(90_000)
  })

  it('keeps the basis of an estimate', () => {
    const fill = fillView(facts({ contextBasis: 'estimated', contextErrorPct: 7 }))
    expect(fill.tokens).toEqual({ value: 90_000, basis: 'estimated', errorPct: 7 })
    expect(fill.sentence).toMatch(/^about /)
  })
})
