import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../policy/default-policy'
import type { Policy } from '../policy/policy'
import { PRESETS } from '../policy/presets'
import { resolvePolicy } from '../policy/resolve'
import { estimated, measured } from '../tokens/figure'
import { guardWindow, policyReserve, policyShares, policyWindow } from './guard'
import { addToLedger, available, canAdd, openLedger } from './ledger'
import { linesReached, loadLines } from './load-lines'
import { fits, historyBudget, REGIONS, splitWindow } from './regions'

const VS7 = resolvePolicy([{ level: 'preset', label: 'vs7', patch: PRESETS.vs7 }]).policy
const OPENCLAW = resolvePolicy([{ level: 'preset', label: 'openclaw', patch: PRESETS.openclaw }]).policy
const NEWER = resolvePolicy([{ level: 'preset', label: 'newer', patch: PRESETS['openclaw-2026.9'] }]).policy
const NO_HINTS = { index: null }

function withWindow(patch: Partial<Policy['window']>): Policy {
  return { ...DEFAULT_POLICY, window: { ...DEFAULT_POLICY.window, ...patch } }
}

describe('regions', () => {
  it('A5 reclaims what system prompt and bootstrap files leave unused, and the reserve', () => {
    expect(historyBudget(200_000, VS7.budget, { system: 8500, bootstrap: 3200 })).toEqual({
      formula: 148_300,
      clamped: 148_300,
    })
    expect(historyBudget(200_000, VS7.budget, { system: 20_000, bootstrap: 5000 }).formula).toBe(135_000)
    const kept = { ...VS7.budget, reserveForHistory: false }
    expect(historyBudget(200_000, kept, { system: 8500, bootstrap: 3200 }).formula).toBe(128_300)
    const fixed = { ...VS7.budget, reallocate: false }
    expect(historyBudget(200_000, fixed, { system: 8500, bootstrap: 3200 }).formula).toBe(90_000)
  })

  it('A6 takes overruns off history, so that the whole stays within the window', () => {
    const budget = historyBudget(200_000, VS7.budget, { system: 40_000, bootstrap: 25_000, response: 40_000 })
    expect(budget).toEqual({ formula: 110_000, clamped: 95_000 })
    expect(40_000 + 25_000 + 40_000 + budget.clamped).toBeLessThanOrEqual(200_000)
  })

  it('A7 says by how much the parts do not fit beside the response', () => {
    expect(fits(200_000, VS7.budget, { system: 100_000, bootstrap: 50_000, history: 100_000 })).toEqual({
      fits: false,
      overflow: 90_000,
    })
    expect(fits(200_000, VS7.budget, { system: 10_000, bootstrap: 10_000, history: 140_000 })).toEqual({
      fits: true,
      overflow: 0,
    })
  })

  it('A17 the same policy gives every model its proportion', () => {
    const small = splitWindow(32_000, VS7.budget)
    const large = splitWindow(200_000, VS7.budget)
    for (const region of REGIONS) expect(small[region] / 32_000).toBeCloseTo(large[region] / 200_000, 3)
  })

  const ratios = fc
    .tuple(fc.nat(1000), fc.nat(1000), fc.nat(1000), fc.nat(1000), fc.nat(1000))
    .map((parts) => {
      const sum = Math.max(
        1,
        parts.reduce((a, b) => a + b, 0),
      )
      const [a = 0, b = 0, c = 0, d = 0] = parts.map((part) => part / sum)
      return { systemPromptRatio: a, bootstrapRatio: b, historyRatio: c, responseRatio: d }
    })
  const windows = fc.integer({ min: 1, max: 2_000_000 })

  it('A2 A16 regions add up to the window, for any window and any valid ratios', () => {
    fc.assert(
      fc.property(windows, ratios, fc.nat(10_000), (window, r, minResponseTokens) => {
        const regions = splitWindow(window, { ...VS7.budget, ...r, minResponseTokens })
        expect(REGIONS.reduce((sum, name) => sum + regions[name], 0)).toBe(window)
        for (const name of REGIONS) expect(regions[name]).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('A4 raising a ratio never lowers its region', () => {
    const keys = [
      ['systemPromptRatio', 'systemPrompt'],
      ['bootstrapRatio', 'bootstrap'],
      ['historyRatio', 'history'],
      ['responseRatio', 'response'],
    ] as const
    fc.assert(
      fc.property(
        windows,
        ratios,
        fc.constantFrom(...keys),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (window, r, [key, region], up) => {
          const rest = 1 - (r.systemPromptRatio + r.bootstrapRatio + r.historyRatio + r.responseRatio)
          const raised = { ...r, [key]: r[key] + Math.max(0, rest) * up }
          const before = splitWindow(window, { ...VS7.budget, ...r })
          const after = splitWindow(window, { ...VS7.budget, ...raised })
          expect(after[region]).toBeGreaterThanOrEqual(before[region])
        },
      ),
    )
  })

  it('A6 history as clamped never lets the whole exceed the window unless the others do alone', () => {
    fc.assert(
      fc.property(windows, ratios, fc.nat(300_000), fc.nat(300_000), (window, r, system, bootstrap) => {
        const budget = { ...VS7.budget, ...r }
        const { clamped } = historyBudget(window, budget, { system, bootstrap })
        const { response } = splitWindow(window, budget)
        expect(clamped).toBeGreaterThanOrEqual(0)
        if (clamped > 0) expect(system + bootstrap + response + clamped).toBeLessThanOrEqual(window)
      }),
    )
  })
})

describe('window, guard and reserve', () => {
  it('A8 own figure, then index, model table, default; then the lower cap, with its source', () => {
    const index = { index: { tokens: 272_000, model: null } }
    expect(policyWindow(DEFAULT_POLICY, index, 'm')).toEqual({
      tokens: 272_000,
      source: 'index',
      uncapped: 272_000,
    })
    expect(policyWindow(withWindow({ cap: 100_000 }), index, 'm')).toEqual({
      tokens: 100_000,
      source: 'cap',
      uncapped: 272_000,
    })
    expect(policyWindow(withWindow({ cap: 300_000 }), index, 'm').source).toBe('index')
    expect(policyWindow(withWindow({ byModel: { m: 50_000 } }), index, 'm')).toMatchObject({
      tokens: 50_000,
      source: 'policy',
    })
    expect(policyWindow(withWindow({ default: 111_000 }), NO_HINTS, 'nobody')).toMatchObject({
      tokens: 111_000,
      source: 'default',
    })
  })

  it('A9 refuses below 16,000, warns below 32,000, passes over nonsense', () => {
    const verdict = (tokens: number) => guardWindow(DEFAULT_POLICY, { tokens, uncapped: tokens }).verdict
    expect([15_999, 16_000, 31_999, 32_000].map(verdict)).toEqual(['block', 'warn', 'warn', 'ok'])
    for (const bad of [0, -5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(policyWindow(withWindow({ byModel: { m: bad }, cap: bad }), NO_HINTS, 'm').source).toBe(
        'default',
      )
    }
    expect(guardWindow(NEWER, { tokens: 15_000, uncapped: 200_000 })).toMatchObject({
      verdict: 'block',
      blockBelow: 20_000,
    })
  })

  it('A10 raises the reserve to its floor; 0 disables the floor', () => {
    const reserve = (tokens: number, floor: number) =>
      policyReserve({ ...DEFAULT_POLICY, reserve: { tokens, floor, maxShare: 1 } }, 200_000)
    expect(reserve(5000, 20_000)).toBe(20_000)
    expect(reserve(30_000, 20_000)).toBe(30_000)
    expect(reserve(5000, 0)).toBe(5000)
    expect(policyReserve(NEWER, 64_000)).toBe(16_000)
  })

  it('A11 A18 history gets half, the working space is what reserve and history leave', () => {
    expect(policyShares(OPENCLAW, 200_000)).toEqual({
      reserve: 20_000,
      effectiveBudget: 180_000,
      historyShare: 100_000,
      workingSpace: 80_000,
    })
    const quarter = { ...OPENCLAW, history: { ...OPENCLAW.history, maxShare: 0.25 } }
    expect(policyShares(quarter, 200_000)).toMatchObject({ historyShare: 50_000, workingSpace: 130_000 })
  })
})

describe('load lines', () => {
  it('A13 D3 the hard line is the lower of its share and window − reserve', () => {
    const hard = (policy: Policy, window: number) =>
      loadLines(policy, window).find((l) => l.kind === 'hard')?.tokens
    expect(hard(DEFAULT_POLICY, 200_000)).toBe(170_000)
    expect(hard(OPENCLAW, 200_000)).toBe(180_000)
    expect(hard(DEFAULT_POLICY, 64_000)).toBe(48_000)
  })

  it('are one ladder, in order, with lines that nothing reaches marked', () => {
    const lines = loadLines(DEFAULT_POLICY, 200_000)
    expect(lines.map((l) => l.name)).toEqual([
      'checkpoint .25',
      'curate',
      'compact',
      'checkpoint .50',
      'flush .50',
      'slide',
      'checkpoint .75',
      'flush .75',
      'hard',
      'flush .90',
    ])
    expect(lines.filter((l) => l.unreachable).map((l) => l.name)).toEqual(['flush .90'])
  })

  it('A12 acts at 50.0 %, not at 49.9 %', () => {
    const compact = (tokens: number) =>
      linesReached(DEFAULT_POLICY, 200_000, measured(tokens)).lines.some((l) => l.kind === 'compact')
    expect(compact(99_800)).toBe(false)
    expect(compact(100_000)).toBe(true)
  })

  it('B3 decides with the margin on what is estimated only', () => {
    expect(linesReached(DEFAULT_POLICY, 200_000, estimated(100, 5)).decided).toBe(120)
    expect(linesReached(DEFAULT_POLICY, 200_000, measured(100)).decided).toBe(100)
  })

  it('B4 counts the incoming message before it is sent', () => {
    const reached = linesReached(DEFAULT_POLICY, 200_000, measured(10_000), 100_000)
    expect(reached.lines.some((l) => l.kind === 'compact')).toBe(true)
  })

  it('says nothing about a fill that is unknown', () => {
    expect(linesReached(DEFAULT_POLICY, 200_000, { value: null, basis: 'unknown' })).toEqual({
      decided: null,
      lines: [],
    })
  })
})

describe('ledger', () => {
  it('A14 available = max − used − reserved, never below 0', () => {
    const ledger = openLedger(DEFAULT_POLICY, 100_000, 40_000)
    expect(ledger.reserved).toEqual({ systemPrompt: 0, response: 20_000, toolResults: 10_000 })
    expect(available(ledger)).toBe(30_000)
    expect(available({ ...ledger, used: 90_000 })).toBe(0)
    expect(canAdd(ledger, 30_000)).toBe(true)
    expect(canAdd(ledger, 30_001)).toBe(false)
  })

  it('A15 frees the oldest tool results, as few as needed, and takes them off what is used', () => {
    const ledger = openLedger(DEFAULT_POLICY, 100_000, 69_000)
    const results = [
      { id: 'a', tokens: 3000 },
      { id: 'b', tokens: 3000 },
      { id: 'c', tokens: 3000 },
    ]
    const added = addToLedger(ledger, 5000, results)
    expect(added).toEqual({ added: true, freed: ['a', 'b'], ledger: { ...ledger, used: 68_000 } })
  })

  it('A15 frees nothing where it fits exactly, and as few as fit exactly', () => {
    const ledger = openLedger(DEFAULT_POLICY, 100_000, 69_000)
    const results = ['a', 'b'].map((id) => ({ id, tokens: 3_000 }))
    expect(addToLedger(ledger, 1_000, results)).toMatchObject({ added: true, freed: [] })
    expect(addToLedger(ledger, 4_000, results)).toMatchObject({ added: true, freed: ['a'] })
    expect(addToLedger(ledger, 7_000, results)).toMatchObject({ added: true, freed: ['a', 'b'] })
    expect(addToLedger(ledger, 7_001, results)).toMatchObject({ added: false, freed: [] })
  })

  it('A15 changes nothing when even all of them are not enough', () => {
    const ledger = openLedger(DEFAULT_POLICY, 100_000, 90_000)
    expect(addToLedger(ledger, 50_000, [{ id: 'a', tokens: 100 }])).toEqual({
      added: false,
      freed: [],
      ledger,
    })
  })

  it('A15 never lets used and reserved exceed the window by adding', () => {
    fc.assert(
      fc.property(
        fc.nat(100_000),
        fc.nat(60_000),
        fc.array(fc.nat(20_000), { maxLength: 8 }),
        (used, tokens, sizes) => {
          const results = sizes.map((size, i) => ({ id: String(i), tokens: size }))
          const held = sizes.reduce((a, b) => a + b, 0)
          const ledger = openLedger(DEFAULT_POLICY, 100_000, used + held)
          const { added, ledger: after } = addToLedger(ledger, tokens, results)
          if (added && tokens > 0) expect(after.used + 30_000).toBeLessThanOrEqual(100_000)
        },
      ),
    )
  })
})
