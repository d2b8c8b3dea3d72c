import { describe, expect, test } from 'vitest'
import { settingsFile } from '../../testing/builders/runtime-policy'
import type { LastCalls } from '../sources/claude-code/last-calls'
import type { StatuslineInput } from '../sources/claude-code/statusline-input'
import { estimated, UNKNOWN } from '../tokens/figure'
import { sessionOutlook } from './session-outlook'

const NOW = Date.parse('2026-11-21T10:00:00Z')
const MINUTE = 60_000
const MODEL = 'claude-sonnet-4-5'
const INPUT: StatuslineInput = {
  ...{ transcript: null, project: null, model: MODEL, window: 200_000 },
  ...{ version: null, prompt: null, output: null },
}

type Usage = NonNullable<LastCalls['last']>['usage']
const usage = (values: Partial<Usage> = {}): Usage =>
  ({ input: 100, cacheRead: 90_000, cacheWrite: 9_900, output: 1_000, ...values }) as Usage

const calls = (
  values: Partial<LastCalls> = {},
  last: Partial<NonNullable<LastCalls['last']>> = {},
): LastCalls => ({
  last: { model: MODEL, at: NOW - MINUTE, usage: usage(), ...last },
  trend: [70_000, 80_000, 90_000, 100_000],
  outputs: [100, 1_000, 5_000],
  since: 0,
  compacted: false,
  ...values,
})
const outlook = (input: Partial<StatuslineInput> = {}, known: LastCalls | null = calls()) =>
  sessionOutlook({ ...INPUT, ...input }, known, { prices: [] as never, files: [] }, NOW)
const usd = (figure: { value: number | null }) => figure.value ?? Number.NaN

describe('the window of a session of Claude Code', () => {
  test('is the one that Claude Code names, else that of its model, else assumed', () => {
    expect(outlook({ window: 123_000 })).toMatchObject({ window: 123_000, windowAssumed: false })
    const listed = outlook({ window: null })
    expect(listed.windowAssumed).toBe(false)
    expect(listed.window).toBeGreaterThanOrEqual(200_000)
    expect(outlook({ window: null, model: null }).window).toBe(listed.window)
    expect(outlook({ window: null, model: 'harbour-7b' })).toMatchObject({
      window: 200_000,
      windowAssumed: true,
    })
    expect(outlook({ window: null, model: null }, null)).toMatchObject({ windowAssumed: true })
    const unanswered = calls({ last: null })
    expect(outlook({ window: null, model: null }, unanswered)).toMatchObject({ windowAssumed: true })
  })

  test('has the line at which Claude Code compacts below it', () => {
    const { line, window } = outlook()
    expect(line).toBe(167_000)
    // Releases before 1.0.90 compacted at 92 % of what an answer leaves.
    expect(outlook({ version: '1.0.60' }).line).toBe(Math.floor((200_000 - 32_000) * 0.92))
    expect(outlook({ window: 20_000 })).toMatchObject({ line: null, callsToGo: null })
    expect(line).toBeGreaterThan(window / 2)
    expect(line).toBeLessThan(window)
    expect(outlook({ window: 400_000 }).line).toBeGreaterThan(line ?? 0)
  })
})

test('a window that the settings say for the model moves the line', () => {
  const settings = settingsFile('settings.json', {})
  const line = (model: string) => {
    const clientSettings = [
      {
        ...{ name: 'compactWindow' as const, model, value: 100_000 },
        ...{ key: 'autoCompactWindow', file: 'settings.json', line: 1 },
      },
    ]
    const files = [{ ...settings, file: { ...settings.file, clientSettings } }]
    return sessionOutlook(INPUT, calls(), { prices: [] as never, files }, NOW).line
  }
  expect(line(MODEL)).toBe(67_000)
  expect(line('claude-opus-4-5')).toBe(167_000)
})

describe('the prompt of the next call', () => {
  test('is the last one, its answer, and what came behind it', () => {
    expect(outlook().next).toEqual(estimated(101_000, 2))
    expect(outlook({}, calls({ since: 9_000 })).next).toEqual(estimated(110_000, 3))
    expect(outlook({}, calls({ since: 50_000 })).next).toEqual(estimated(151_000, 10))
  })

  test('has what Claude Code itself counted where the transcript does not say', () => {
    expect(outlook({ prompt: 5_000, output: 50 }, null).next).toEqual(estimated(5_050, 2))
    expect(outlook({ prompt: 5_000 }, null).next).toEqual(estimated(5_000, 2))
    const unsure = calls({}, { usage: usage({ outputUnsure: true } as never) })
    expect(outlook({ prompt: 5, output: 50 }, unsure).next.value).toBe(100_050)
    expect(outlook({ prompt: 5, output: 50 }).next.value).toBe(101_000)
    expect(outlook({}, unsure).next.value).toBe(100_000)
  })

  test('is not known before the first call, and not after a compaction', () => {
    expect(outlook({}, null).next).toEqual(UNKNOWN)
    expect(outlook({ prompt: 5_000 }, calls({ compacted: true })).next).toEqual(UNKNOWN)
    expect(outlook({}, calls({ last: null })).next).toEqual(UNKNOWN)
  })
})

describe('calls up to the line', () => {
  test('are those at the pace of the last ones; there are none where that is not known, or the line is passed', () => {
    const { callsToGo, line } = outlook()
    expect(callsToGo).toBe(Math.ceil(((line ?? 0) - 101_000) / 10_000))
    expect(outlook({}, calls({ trend: [] })).callsToGo).toBeNull()
    expect(outlook({ prompt: 5_000 }, null).callsToGo).toBeNull()
    expect(outlook({}, calls({ since: 99_000 })).callsToGo).toBeNull()
    expect(outlook({}, null).callsToGo).toBeNull()
    expect(outlook({}, calls({ compacted: true })).callsToGo).toBeNull()
  })
})

describe('the price of the next call', () => {
  test('is less with the cache than without it, and for an answer like the middle one of the last', () => {
    const { nextUsd, coldUsd } = outlook()
    expect(nextUsd.basis).toBe('estimated')
    expect(usd(nextUsd)).toBeGreaterThan(0)
    expect(usd(nextUsd)).toBeLessThan(usd(coldUsd) / 2)
    const dear = outlook({}, calls({ outputs: [5_000, 1_000, 100, 20_000, 900] }))
    expect(usd(dear.nextUsd)).toBeCloseTo(usd(nextUsd), 9)
    const longer = outlook({}, calls({ outputs: [5_000, 1_000, 9_000] }))
    expect(usd(longer.nextUsd)).toBeGreaterThan(usd(nextUsd))
    expect(usd(outlook({}, calls({ outputs: [] })).nextUsd)).toBeLessThan(usd(nextUsd))
  })

  test('is that without a cache once the cache has gone: after five minutes, or an hour where it was written for one', () => {
    const at = (minutes: number, more: Partial<Usage> = {}) =>
      outlook({}, calls({}, { at: NOW - minutes * MINUTE, usage: usage(more) }))
    expect(at(5)).toMatchObject({ cacheGone: false })
    const gone = at(5.01)
    expect(gone.cacheGone).toBe(true)
    expect(gone.nextUsd).toEqual(gone.coldUsd)
    const hour = { cacheWrite1h: 9_900 } as never
    expect([at(5.01, hour).cacheGone, at(60, hour).cacheGone, at(60.1, hour).cacheGone]).toEqual([
      false,
      false,
      true,
    ])
    // To write into that cache costs more.
    expect(usd(at(1, hour).coldUsd)).toBeGreaterThan(usd(at(1).coldUsd))
    expect(at(5.01, { cacheWrite1h: 0 } as never).cacheGone).toBe(true)
  })

  test('is the operator’s own for the model at Anthropic, and for no model of another maker', () => {
    const own = { input: 1_000, output: 0, cacheRead: 0, cacheWrite: 1_000 }
    const cold = (model: string) => {
      const prices = { [`anthropic/${model}`]: own }
      return sessionOutlook({ ...INPUT, model }, calls(), { prices, files: [] }, NOW).coldUsd.value
    }
    // All 101,000 tokens of the next prompt are written into the cache, at a tenth of a cent each.
    expect(cold(MODEL)).toBeCloseTo(101, 9)
    expect(cold('harbour-7b')).toBeNull()
  })

  test('is not known where the next prompt, the calls or the price of the model are not', () => {
    expect(outlook({ prompt: 5_000 }, null)).toMatchObject({
      nextUsd: UNKNOWN,
      coldUsd: UNKNOWN,
      cacheGone: null,
    })
    expect(outlook({}, calls({ compacted: true })).nextUsd).toEqual(UNKNOWN)
    expect(outlook({ model: 'harbour-7b' }).nextUsd.value).toBeNull()
    expect(outlook({}, calls({}, { at: null })).cacheGone).toBeNull()
  })

  test('takes no more from the cache than the next prompt has', () => {
    const small = outlook({}, calls({}, { usage: usage({ input: 0, cacheRead: 0, cacheWrite: 0 }) }))
    expect(usd(small.nextUsd) || 0).toBeLessThan(usd(outlook().nextUsd))
  })
})
