import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { LogFold } from './fold-logs'
import { HealthFold, MOST_POINTS } from './health-series'
import type { LogKind } from './log-kinds'
import { NumberFold } from './number-stats'
import { readLogLine } from './read-log-line'
import { SCORE_BINS, ScoreFold } from './score-histogram'

function fold(...lines: readonly (readonly [LogKind, object])[]) {
  const all = new LogFold()
  for (const [kind, line] of lines) {
    const read = readLogLine(kind, JSON.stringify(line))
    if (!read.ok) throw new Error(read.problem)
    all.push(read.record)
  }
  return all.summary()
}

describe('the recipes of the plan for tuning', () => {
  test('Q4 what was dropped, by reason: most often first, unnamed ones counted', () => {
    const { drops, lines } = fold(
      ['drops', { chunk_id: 'a', reason: 'low_relevance', relevance_score: 0.15 }],
      ['drops', { chunk_id: 'b', reason: 'hard_limit', relevance_score: 0.29 }],
      ['drops', { chunk_id: 'c', reason: 'low_relevance', relevance_score: 0.3 }],
      ['drops', { chunk_id: 'd' }],
    )
    expect(lines.drops).toBe(4)
    expect(drops.reasons).toEqual([
      { name: 'low_relevance', count: 2 },
      { name: null, count: 1 },
      { name: 'hard_limit', count: 1 },
    ])
    expect(drops.scores.bins.filter(({ count }) => count > 0)).toEqual([
      { from: 0.15, to: 0.2, count: 1 },
      { from: 0.25, to: 0.3, count: 1 },
      { from: 0.3, to: 0.35, count: 1 },
    ])
    expect(drops.scores.unknown).toBe(1)
  })

  test('Q3 savings of curation, and Q2 those of compactions, recorded or worked out; unknown is no 0', () => {
    const { curations, compactions } = fold(
      ['curation', { token_savings: 100, drops_triggered: 2 }],
      ['curation', { token_savings: 300 }],
      ['curation', { query: 'q' }],
      ['compaction', { tokens_before: 80, tokens_after: 30, trigger: 'manual' }],
      ['compaction', { token_savings: 10, tokens_before: 80, tokens_after: 30 }],
      ['compaction', { tokens_before: 80 }],
    )
    expect(curations.savings).toEqual({
      count: 2,
      unknown: 1,
      sum: 400,
      min: 100,
      median: 100,
      mean: 200,
      p95: 300,
      max: 300,
    })
    expect(compactions.savings).toMatchObject({ count: 2, unknown: 1, sum: 60 })
    expect(compactions.triggers).toContainEqual({ name: 'manual', count: 1 })
  })

  test('Q5 health over time, from the share or from tokens and limit', () => {
    const { health, from, to } = fold(
      ['health', { timestamp: '2026-02-02T22:55:10Z', pct_used: 0.4 }],
      ['health', { timestamp: '2026-02-02T22:55:50Z', current_tokens: 60, max_tokens: 100 }],
      ['health', { timestamp: '2026-02-02T23:55:00Z', event: 'session_end', context_chunks: 3 }],
    )
    const minute = Date.parse('2026-02-02T22:55:00Z')
    expect(health.points).toEqual([
      { from: minute, to: minute + 60_000, checks: 2, lowest: 0.4, highest: 0.6, last: 0.6 },
    ])
    expect(health.fill).toMatchObject({ count: 2, unknown: 1 })
    expect([from, to]).toEqual([minute + 10_000, minute + 3_600_000])
  })

  test('Q6 I7 recoveries that were taken back are counted apart, and are no recoveries', () => {
    const line = { chunk_id: 'a', trigger: 'manual', destination: 'context' }
    const { recoveries } = fold(['recovery', line], ['recovery', { ...line, event: 'recovery_undone' }])
    expect(recoveries).toMatchObject({ triggers: [{ name: 'manual', count: 1 }], undone: 1 })
    expect(recoveries.chunks).toMatchObject({ count: 1, sum: 1 })
  })

  test('Q6 recoveries count chunks however they are recorded', () => {
    const { recoveries } = fold(
      ['recovery', { query: 'q', chunks_recovered: 3 }],
      ['recovery', { chunk_id: 'a', trigger: 'auto' }],
      ['recovery', { chunk_ids: ['a', 'b'] }],
      ['recovery', { event: 'recovery' }],
    )
    expect(recoveries.chunks).toMatchObject({ sum: 6, unknown: 1 })
  })

  test('without a line nothing is known', () => {
    const { from, health, curations } = fold()
    expect([from, health.points, curations.savings.mean, curations.savings.max]).toEqual([
      null,
      [],
      null,
      null,
    ])
  })
})

describe('folds', () => {
  it('puts every score into one bin and none beside it', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1, max: 2, noNaN: true })), (scores) => {
        const scoresFold = new ScoreFold()
        for (const score of scores) scoresFold.push(score)
        const { bins, below, above } = scoresFold.histogram()
        expect(bins.reduce((sum, { count }) => sum + count, 0) + below + above).toBe(scores.length)
      }),
    )
  })

  it('counts each lower bound in its own bin, and 1 in the last', () => {
    const scores = new ScoreFold()
    for (let i = 0; i <= SCORE_BINS; i++) scores.push(i / SCORE_BINS)
    expect(scores.histogram().bins.map(({ count }) => count)).toEqual([...Array(SCORE_BINS - 1).fill(1), 2])
  })

  it('counts a score that rounding has kept under a bound as it is shown', () => {
    const scores = new ScoreFold()
    scores.push(1 - 0.9)
    expect(scores.histogram().bins.find(({ count }) => count > 0)?.from).toBe(0.1)
  })

  it('keeps a series short, with every check in it, in whatever order they come', () => {
    const check = fc.tuple(fc.integer({ min: 0, max: 4e12 }), fc.double({ min: 0, max: 1, noNaN: true }))
    fc.assert(
      fc.property(fc.array(check, { maxLength: 300 }), (checks) => {
        const series = new HealthFold()
        for (const [at, share] of checks) series.push(at, share)
        const points = series.points()
        expect(points.length).toBeLessThanOrEqual(MOST_POINTS)
        expect(points.reduce((sum, point) => sum + point.checks, 0)).toBe(checks.length)
        for (const [at, share] of checks) {
          const point = points.find(({ from, to }) => from <= at && at < to)
          expect(point?.lowest).toBeLessThanOrEqual(share)
          expect(point?.highest).toBeGreaterThanOrEqual(share)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('answers percentiles that were there', () => {
    const numbers = new NumberFold()
    for (const value of [5, 1, 4, 2, 3, null]) numbers.push(value)
    expect(numbers.stats()).toMatchObject({ min: 1, median: 3, p95: 5, max: 5, mean: 3, unknown: 1 })
  })
})
