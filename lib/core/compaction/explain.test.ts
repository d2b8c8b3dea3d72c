import { describe, expect, it } from 'vitest'
import { runtimePolicyWith, settingsFile } from '../../testing/builders/runtime-policy'
import type { RuntimePolicy } from '../policy/runtime/runtime-policy'
import { type CompactionFacts, explainCompaction } from './explain'
import { joinFits, policyFit } from './policy-fit'

const early = runtimePolicyWith()
const middle = runtimePolicyWith({ version: { value: '2026.7.1', from: 'x' } })
const late = runtimePolicyWith({ era: 'sqlite', version: { value: '2026.9.6', from: 'x' } })

const ended = (tokens: number | null) => ({ tokens, endsTurn: true })
const calling = (tokens: number | null) => ({ tokens, endsTurn: false })

const facts = (values: Partial<CompactionFacts>): CompactionFacts => ({
  ...{ calls: [], recorded: null, incoming: 0, nextOutput: 0, overflow: false, reason: null, ours: false },
  ...{ model: 'm', window: { tokens: 200_000, source: 'index' }, next: null },
  ...values,
})

const explain = (
  values: Partial<CompactionFacts>,
  policy: RuntimePolicy = early,
  others: RuntimePolicy[] = [],
) => explainCompaction(facts(values), policy, others)

describe('X9 the fit: a recorded compaction against what the runtime does', () => {
  it('is explained at the line, one turn after it, and when the next prompt would reach it', () => {
    expect(explain({ calls: [ended(150_000), ended(180_000)] })).toMatchObject({
      verdict: 'explained',
      gap: 0,
    })
    expect(explain({ calls: [ended(181_000), ended(184_000)] })).toMatchObject({
      verdict: 'explained',
      gap: 1,
    })
    expect(explain({ calls: [ended(179_000)], incoming: 900 })).toMatchObject({
      verdict: 'explained',
      gap: 0,
    })
    expect(explain({ calls: [ended(179_000)], nextOutput: 1_000 })).toMatchObject({
      verdict: 'explained',
      gap: 1,
    })
  })

  it('is not where the line was passed long before, but calls within a turn do not count', () => {
    const passed = [181_000, 182_000, 183_000, 184_000]
    expect(explain({ calls: passed.map(ended) })).toMatchObject({
      verdict: 'unexplained',
      reason: 'late',
      gap: 3,
    })
    expect(explain({ calls: passed.map(calling) })).toMatchObject({ verdict: 'explained', gap: 0 })
  })

  it('is not below the line: then somebody asked for it', () => {
    expect(explain({ calls: [ended(90_000)] })).toMatchObject({
      ...{ verdict: 'unexplained', reason: 'below-line', tokens: 90_000, line: 180_000, gap: null },
    })
  })

  it('exactly at the line is reached; what comes in counts 1.2 times, the next answer as it is', () => {
    const gap = (tokens: number, incoming = 0, nextOutput = 0) => {
      const { verdict, gap: found } = explain({ calls: [ended(tokens)], incoming, nextOutput })
      return [verdict, found]
    }
    expect([gap(180_000), gap(179_999)]).toEqual([
      ['explained', 0],
      ['unexplained', null],
    ])
    expect([gap(178_800, 1000), gap(178_799, 1000)]).toEqual([
      ['explained', 0],
      ['unexplained', null],
    ])
    expect([gap(179_000, 0, 1000), gap(179_000, 0, 999)]).toEqual([
      ['explained', 1],
      ['unexplained', null],
    ])
    expect(gap(178_000, 1000, 800)).toEqual(['explained', 1])
  })

  it('is late from two turns on; calls of unknown size, and the last one, are no turns behind the line', () => {
    const late = (...calls: CompactionFacts['calls']) => {
      const { verdict, reason, gap } = explain({ calls })
      return [verdict, reason, gap]
    }
    expect(late(ended(180_000), ended(190_000))).toEqual(['explained', null, 1])
    expect(late(ended(180_000), ended(180_000), ended(190_000))).toEqual(['unexplained', 'late', 2])
    expect(late(ended(180_000), ended(179_999), ended(190_000))).toEqual(['explained', null, 1])
    expect(late(ended(null), ended(null), ended(180_000), ended(190_000))).toEqual(['explained', null, 1])
    // Also where the last one is exactly at the line.
    expect(late(ended(190_000), ended(190_000), ended(180_000))).toEqual(['unexplained', 'late', 2])
    expect(late(ended(null))).toEqual(['apart', 'unknown-size', null])
    expect(late()).toEqual(['apart', 'unknown-size', null])
    // The size is of the last call, even where one before it is known.
    expect(late(ended(190_000), ended(null))).toEqual(['apart', 'unknown-size', null])
  })

  it('says all that it compared', () => {
    const window = { tokens: 200_000, source: 'index' } as const
    expect(explain({ calls: [ended(180_000)] })).toEqual({
      ...{ verdict: 'explained', reason: null, rules: early.runtime.rules, tokens: 180_000, line: 180_000 },
      ...{ window, assumedWindow: null, gap: 0 },
    })
    expect(explain({ calls: [ended(90_000)] })).toEqual({
      ...{ verdict: 'unexplained', reason: 'below-line', rules: early.runtime.rules, tokens: 90_000 },
      ...{ line: 180_000, window, assumedWindow: null, gap: null },
    })
    expect(explain({ calls: [ended(90_000)], ours: true })).toEqual({
      ...{ verdict: 'apart', reason: 'ours', rules: early.runtime.rules, tokens: 90_000 },
      ...{ line: null, window: null, assumedWindow: null, gap: null },
    })
  })

  it('knows no line in a window that is unknown or too small, and takes no guess for one', () => {
    expect(explain({ calls: [ended(190_000)], window: null })).toMatchObject({
      verdict: 'apart',
      reason: 'unknown-window',
    })
    const tiny = { tokens: 10_000, source: 'index' } as const
    expect(explain({ calls: [ended(9_000)], window: tiny })).toMatchObject({
      ...{ verdict: 'unexplained', reason: 'below-line', line: null, gap: null },
    })
    const seen = (source: 'observed' | 'catalogue') =>
      explain({ calls: [ended(90_000)], window: { tokens: 200_000, source } })
    expect(seen('observed')).toMatchObject({ verdict: 'apart', reason: 'unknown-window', line: 180_000 })
    expect(seen('catalogue')).toMatchObject({ verdict: 'unexplained', reason: 'below-line' })
    // A guess that explains it is good enough.
    expect(
      explain({ calls: [ended(180_000)], window: { tokens: 200_000, source: 'observed' } }).verdict,
    ).toBe('explained')
  })

  it('tries OpenClaw’s default window for OpenClaw alone', () => {
    const window = { tokens: 1_000_000, source: 'index' } as const
    const pi = runtimePolicyWith({ owner: 'pi' })
    // pi keeps 16,384 tokens free: at the default it would have compacted here.
    expect(explain({ calls: [ended(184_000)], window }, pi)).toMatchObject({
      verdict: 'unexplained',
      reason: 'below-line',
    })
    expect(explain({ calls: [ended(984_000)], window }, pi)).toMatchObject({
      verdict: 'explained',
      assumedWindow: null,
    })
  })

  it('another release explains it only within one call', () => {
    const window = { tokens: 64_000, source: 'index' } as const
    const passed = [41_000, 42_000, 43_000].map(ended)
    expect(explain({ calls: passed, window }, late, [middle])).toMatchObject({ reason: 'below-line' })
    expect(explain({ calls: passed.slice(1), window }, late, [middle])).toMatchObject({
      reason: 'other-version',
    })
    const off = runtimePolicyWith({ files: [settingsFile('openclaw.json', { compaction: { mode: 'off' } })] })
    expect(explain({ calls: [ended(41_000)], window }, late, [off])).toMatchObject({ reason: 'below-line' })
    // A guess is said to be explained by another release before it is said to be a guess.
    const guess = { tokens: 64_000, source: 'observed' } as const
    expect(explain({ calls: [ended(41_000)], window: guess }, late, [middle])).toMatchObject({
      ...{ verdict: 'unexplained', reason: 'other-version' },
    })
  })

  it('what the record says counts more than our sum', () => {
    expect(explain({ calls: [ended(90_000)], recorded: 180_500 })).toMatchObject({ verdict: 'explained' })
  })

  it('what no line decides about is separate, and so is what was not measured', () => {
    const calls = [ended(190_000)]
    expect(explain({ calls, reason: 'manual' })).toMatchObject({ verdict: 'apart', reason: 'manual' })
    expect(explain({ calls, reason: 'overflow-retry' })).toMatchObject({
      verdict: 'apart',
      reason: 'overflow',
    })
    expect(explain({ calls, reason: 'timeout-retry' })).toMatchObject({ verdict: 'apart', reason: 'timeout' })
    expect(explain({ calls, overflow: true })).toMatchObject({ verdict: 'apart', reason: 'overflow' })
    expect(explain({ calls, ours: true })).toMatchObject({ verdict: 'apart', reason: 'ours' })
    expect(explain({ calls: [ended(null)] })).toMatchObject({ verdict: 'apart', reason: 'unknown-size' })
    expect(explain({ calls: [ended(90_000)], window: { tokens: 200_000, source: 'default' } })).toMatchObject(
      {
        ...{ verdict: 'apart', reason: 'unknown-window' },
      },
    )
  })

  it('takes the window of that time: today’s, else the next model’s, else the default, and says which', () => {
    const window = { tokens: 1_000_000, source: 'index' } as const
    const before = explain({ calls: [ended(181_000)], window })
    expect(before).toMatchObject({ verdict: 'explained', line: 180_000 })
    expect(before.assumedWindow).toMatch(/default window/)
    const next = { model: 'n', window: { tokens: 131_072, source: 'catalogue' } } as const
    const switched = explain({ calls: [ended(112_000)], window, next })
    expect(switched).toMatchObject({ verdict: 'explained', line: 111_072 })
    expect(switched.assumedWindow).toMatch(/answered next/)
    expect(explain({ calls: [ended(981_000)], window }).assumedWindow).toBeNull()
    expect(explain({ calls: [ended(50_000)], window, next })).toMatchObject({
      verdict: 'unexplained',
      line: 980_000,
    })
  })

  it('names another release whose line explains it', () => {
    const window = { tokens: 64_000, source: 'index' } as const
    expect(explain({ calls: [ended(41_000)], window }, late, [early, middle])).toMatchObject({
      ...{ verdict: 'unexplained', reason: 'other-version', rules: '2026.9', line: 48_000 },
    })
    expect(explain({ calls: [ended(41_000)], window }, middle)).toMatchObject({ verdict: 'explained' })
  })

  it('says where the settings of today switch compaction off', () => {
    const files = [settingsFile('openclaw.json', { compaction: { mode: 'off' } })]
    expect(explain({ calls: [ended(190_000)] }, runtimePolicyWith({ files }))).toMatchObject({
      ...{ verdict: 'unexplained', reason: 'switched-off' },
    })
  })
})

describe('X9 the fit of a session and of a store', () => {
  const of = (values: Partial<CompactionFacts>) => ({
    ...{ line: 1, entryId: 'e', at: null, afterCall: 1 },
    explanation: explain(values),
  })

  it('counts what can be compared, and lists every other one with its reason', () => {
    const fit = policyFit([
      of({ calls: [ended(180_000)] }),
      of({ calls: [ended(181_000)], window: { tokens: 1_000_000, source: 'index' } }),
      of({ calls: [ended(90_000)] }),
      of({ calls: [ended(190_000)], overflow: true }),
    ])
    expect(fit).toMatchObject({ recorded: 4, compared: 3, explained: 2, windowAssumed: 1 })
    expect(fit.share).toBeCloseTo(2 / 3)
    expect(policyFit([of({ calls: [ended(180_000)] })])).toMatchObject({ explained: 1, windowAssumed: 0 })
    expect(fit.reasons).toEqual({ 'below-line': 1, overflow: 1 })
    expect(fit.others.map(({ explanation }) => explanation.reason)).toEqual(['below-line', 'overflow'])
    const both = joinFits([fit, fit])
    expect(both).toMatchObject({ recorded: 8, compared: 6, explained: 4, windowAssumed: 2, share: 4 / 6 })
    expect(both.reasons).toEqual({ 'below-line': 2, overflow: 2 })
    expect(both.others).toEqual([...fit.others, ...fit.others])
    const other = policyFit([of({ calls: [ended(90_000)], reason: 'manual' })])
    expect(joinFits([fit, other]).reasons).toEqual({ 'below-line': 1, overflow: 1, manual: 1 })
    expect(joinFits([other])).toMatchObject({ recorded: 1, compared: 0, share: null })
  })

  it('has no share where nothing can be compared', () => {
    expect(policyFit([])).toMatchObject({ recorded: 0, share: null })
    expect(joinFits([]).share).toBeNull()
  })
})
