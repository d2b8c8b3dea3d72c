import { describe, expect, it } from 'vitest'
import { sessionLoad } from '../core/budget/session-load'
import type { WindowSource } from '../core/budget/window'
import { type PolicyLayer, resolvePolicy } from '../core/policy/resolve'
import { type FillFacts, fillView } from './fill'

const loadOf = (source: WindowSource = 'index', layers: PolicyLayer[] = []) =>
  sessionLoad(resolvePolicy(layers), null, { tokens: 200_000, source })

const facts = (values: Partial<FillFacts>): FillFacts => ({
  load: loadOf(),
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
    expect(fillView(facts({ load: loadOf('default') })).denominator).toContain('window 200k (assumed)')
  })

  it('says which line was passed, in word and tone', () => {
    expect(fillView(facts({ contextTokens: 70_000 }))).toMatchObject({ passed: null, tone: 'neutral' })
    expect(fillView(facts({ contextTokens: 100_000 }))).toMatchObject({
      passed: 'compact',
      tone: 'attention',
    })
    expect(fillView(facts({ contextTokens: 190_000 }))).toMatchObject({ passed: 'hard', tone: 'danger' })
  })

  it('X9 measures against the lines of the policy in force, and names where they come from', () => {
    expect(fillView(facts({}))).toMatchObject({ policy: 'the default policy', acts: 'compact 100k' })
    const layers: PolicyLayer[] = [
      { level: 'store', label: 'openclaw.json', patch: { lines: { compact: { at: 0.3 } } } },
    ]
    const fill = fillView(facts({ load: loadOf('index', layers) }))
    expect(fill).toMatchObject({ policy: 'openclaw.json', acts: 'compact 60k', passed: 'curate' })
    expect(fill.tone).toBe('attention')
    expect(fill.sentence).toContain('lines of openclaw.json')
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
    const unknownWindow = fillView(facts({ load: null }))
    expect(unknownWindow).toMatchObject({ share: null, budget: null, lines: [] })
    expect(unknownWindow.tokens.value).toBe(90_000)
  })

  it('keeps the basis of an estimate', () => {
    const fill = fillView(facts({ contextBasis: 'estimated', contextErrorPct: 7 }))
    expect(fill.tokens).toEqual({ value: 90_000, basis: 'estimated', errorPct: 7 })
    expect(fill.sentence).toMatch(/^about /)
  })
})
