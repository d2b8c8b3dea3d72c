import { describe, expect, it } from 'vitest'
import { sessionLoad } from '../../core/budget/session-load'
import type { WindowSource } from '../../core/budget/window'
import type { RuntimeStore } from '../../core/policy/runtime/runtime-policy'
import { runtimePolicyWith, settingsFile } from '../../testing/builders/runtime-policy'
import { type FillFacts, fillView } from './fill'

/** An agent that embeds the library, with the default policy, unless said otherwise. */
const loadOf = (source: WindowSource = 'index', values: Partial<RuntimeStore> = { owner: 'library' }) =>
  sessionLoad(runtimePolicyWith(values), null, { tokens: 200_000, source })

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

  it('B7 says that the next call will not fit, before any line', () => {
    const over = fillView(facts({ contextTokens: 200_001, contextBasis: 'estimated', contextErrorPct: 4 }))
    expect(over).toMatchObject({ willNotFit: true, tone: 'danger' })
    expect(over.sentence).toMatch(/^The next call will not fit: about 200.001 tokens/)
    expect(fillView(facts({ contextTokens: 200_000 })).willNotFit).toBe(false)
    const cut = sessionLoad(runtimePolicyWith({ owner: 'library' }), null, { tokens: 4_096, source: 'cut' })
    expect(fillView(facts({ load: cut })).denominator).toContain('(prompts are cut to it)')
  })

  it('B5 has lines in the window that the runtime believes in, and says both where they differ', () => {
    const believed = { tokens: 65_536, source: 'catalogue' } as const
    const read = { tokens: 4_096, source: 'cut', believed } as const
    const load = sessionLoad(runtimePolicyWith({}), null, read)
    const trend = [2_000, 4_000, 6_000, 8_000, 10_000, 12_000]
    const fill = fillView(facts({ load, contextTokens: 12_000, trend }))
    expect(fill).toMatchObject({ budget: 4_096, passed: null, willNotFit: true, next: { calls: 17 } })
    expect(fill.acts).toBe('compact 45.5k of the 65.5k it believes in')
    expect(fill.sentence).toMatch(
      /compacts at 45.536 of the 65.536 that OpenClaw 2026.2.26 believes in; the provider cuts at 4.096$/,
    )
    expect(fill.lines[0]?.at).toBeGreaterThan(1)
  })

  it('X9 measures against what the runtime does, and names it, its file and what is assumed', () => {
    const plain = fillView(facts({ load: loadOf('index', {}) }))
    expect(plain).toMatchObject({ policy: 'OpenClaw 2026.2.26', acts: 'compact 180k', assumed: null })
    expect(plain.lines.map(({ name }) => name)).toEqual(['compact'])
    const files = [settingsFile('openclaw.json', { reserve: { floor: 110_000 } })]
    const fill = fillView(facts({ load: loadOf('index', { files }) }))
    const policy = 'OpenClaw 2026.2.26, openclaw.json'
    expect(fill).toMatchObject({ policy, acts: 'compact 90k', passed: 'compact', tone: 'attention' })
    expect(fill.sentence).toContain(`lines of ${policy}`)
    const unsure = fillView(facts({ load: loadOf('index', { version: null, files: [] }) }))
    expect(unsure.policy).toBe('OpenClaw 2026.7 (assumed)')
    expect(unsure.assumed).toMatch(/version is not stated.*no settings file/)
    expect(unsure.sentence).toContain('OpenClaw 2026.7 (assumed): OpenClaw’s version'.replace('’', "'"))
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
