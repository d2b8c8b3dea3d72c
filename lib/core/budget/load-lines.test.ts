import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../policy/default-policy'
import type { Policy } from '../policy/policy'
import { UNKNOWN } from '../tokens/figure'
import {
  defaultLoadLines,
  effectiveBudget,
  hardLine,
  linesReached,
  loadLines,
  reserveOf,
  softFlushLine,
} from './load-lines'

const withLines = (patch: Partial<Policy['lines']>): Policy => ({
  ...DEFAULT_POLICY,
  lines: { ...DEFAULT_POLICY.lines, ...patch },
})
const off = (at: number) => ({ enabled: false, at })
const noSteps = { enabled: false, at: [0.1, 0.2] }
const only = (patch: Partial<Policy['lines']>) =>
  withLines({
    ...{ curate: off(0.4), compact: off(0.5), slide: off(0.7), hard: off(0.85) },
    ...{ checkpoints: noSteps, flush: noSteps },
    ...patch,
  })

describe('A13: the ladder', () => {
  it('has the lines that are switched on and no others', () => {
    expect(loadLines(only({}), 200_000)).toEqual([])
    expect(loadLines(only({ checkpoints: { enabled: true, at: [0.5] } }), 200_000)).toEqual([
      { kind: 'checkpoint', name: 'checkpoint .50', tokens: 100_000, pct: 50 },
    ])
    expect(loadLines(only({ flush: { enabled: true, at: [1] } }), 200_000)).toEqual([
      { kind: 'flush', name: 'flush 1.00', tokens: 200_000, pct: 100 },
    ])
    expect(loadLines(only({ flush: { enabled: true, at: [0.105] } }), 1_000)[0]?.name).toBe('flush .10')
    for (const kind of ['curate', 'compact', 'slide', 'hard'] as const) {
      const [line, ...more] = loadLines(only({ [kind]: { enabled: true, at: 0.25 } }), 80_000)
      expect([line?.kind, line?.name, line?.tokens, line?.pct, more.length]).toEqual([
        kind,
        kind,
        20_000,
        25,
        0,
      ])
    }
  })

  it('is in order with and without a hard line; a line as high as the hard one can still be reached', () => {
    const lines = { compact: { enabled: true, at: 0.6 }, slide: { enabled: true, at: 0.2 } }
    expect(loadLines(only(lines), 1_000_000).map(({ name }) => name)).toEqual(['slide', 'compact'])
    const equal = loadLines(only({ ...lines, hard: { enabled: true, at: 0.6 } }), 1_000_000)
    expect(equal.map(({ name, unreachable }) => [name, unreachable])).toEqual([
      ['slide', undefined],
      ['compact', undefined],
      ['hard', undefined],
    ])
    const above = loadLines(only({ ...lines, hard: { enabled: true, at: 0.599999 } }), 1_000_000)
    expect(above.at(-1)).toMatchObject({ name: 'compact', unreachable: true })
  })

  it('says 0 % of a window of nothing', () => {
    expect(loadLines(DEFAULT_POLICY, 0).map(({ pct }) => pct)).not.toContainEqual(Number.NaN)
    expect(hardLine(withLines({ hard: off(0.85) }), 200_000)).toBeNull()
  })

  it('of the default policy is drawn without notes and without what cannot be reached', () => {
    expect(defaultLoadLines(200_000).map(({ name }) => name)).toEqual([
      ...['curate', 'compact', 'flush .50', 'slide', 'flush .75', 'hard'],
    ])
    expect([reserveOf(200_000), effectiveBudget(200_000)]).toEqual([20_000, 180_000])
    expect([reserveOf(40_000), effectiveBudget(40_000)]).toEqual([10_000, 30_000])
  })

  it('never marks a line below the hard one, and marks each above it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2_000_000 }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (window, at, hardAt) => {
          const lines = loadLines(
            withLines({ flush: { enabled: true, at }, hard: { enabled: true, at: hardAt } }),
            window,
          )
          const hard = lines.find(({ kind }) => kind === 'hard')?.tokens ?? Number.NaN
          expect(lines.map(({ tokens }) => tokens)).toEqual(
            lines.map(({ tokens }) => tokens).toSorted((a, b) => a - b),
          )
          for (const { tokens, unreachable } of lines) expect(unreachable ?? false).toBe(tokens > hard)
        },
      ),
    )
  })
})

describe('A13: the flush ahead of what compacts first', () => {
  const ahead = (lines: Partial<Policy['lines']>, softThresholdTokens = 4_000, window = 100_000) =>
    softFlushLine(
      {
        ...only({ flush: { enabled: true, at: [] }, ...lines }),
        flush: { ...DEFAULT_POLICY.flush, softThresholdTokens },
      },
      window,
    )
  const on = (at: number) => ({ enabled: true, at })

  it('is so far below the lower of the line and the hard line, of those that are switched on', () => {
    // A share that binary fractions miss by a hair: 0.29 × 100,000 is 29,000.
    expect(ahead({ compact: on(0.29) })).toEqual({
      ...{ kind: 'flush', name: 'flush ahead', tokens: 25_000, pct: 25 },
    })
    expect(ahead({ hard: on(0.6) })?.tokens).toBe(56_000)
    expect(ahead({ compact: on(0.5), hard: on(0.6) })?.tokens).toBe(46_000)
    expect(ahead({ compact: on(0.7), hard: on(0.6) })?.tokens).toBe(56_000)
  })

  it('is nowhere without a distance, without room below, and where nothing compacts', () => {
    expect(ahead({ compact: on(0.5) }, 0)).toBeNull()
    expect(ahead({ compact: on(0.5), flush: { enabled: false, at: [] } })).toBeNull()
    expect(ahead({ compact: on(0.5) }, 50_000)).toBeNull()
    expect(ahead({ compact: on(0.5) }, 49_999)?.tokens).toBe(1)
    expect(ahead({})).toBeNull()
  })

  it('is a line of the ladder', () => {
    const policy = only({ flush: { enabled: true, at: [] }, compact: on(0.5) })
    const flush = { ...policy.flush, softThresholdTokens: 4_000 }
    expect(loadLines({ ...policy, flush }, 100_000).map(({ name }) => name)).toEqual([
      'flush ahead',
      'compact',
    ])
  })
})

it('A12: a fill that is not known has reached no line, not even one at nothing', () => {
  expect(loadLines(DEFAULT_POLICY, 1).every(({ tokens }) => tokens === 0)).toBe(true)
  expect(linesReached(DEFAULT_POLICY, 1, UNKNOWN).lines).toEqual([])
})
