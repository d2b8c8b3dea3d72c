import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import type { Policy } from '../../core/policy/policy'
import type { RuntimePolicy } from '../../core/policy/runtime/runtime-policy'
import { type CallSketch, callColumns } from '../../testing/builders/call-columns'
import { runtimePolicyWith } from '../../testing/builders/runtime-policy'
import { withChanges } from '../policy/policy-values'
import { sessionMarks } from '../session/session-marks'
import { draftLadder, runtimeLadder } from './chart-ladder'
import { categoryAt, framesChart, scaleFor } from './frames-chart'
import { reduceFrames } from './frames-series'
import { axisTime } from './time-axis'

function chartOf(calls: readonly CallSketch[], rest: Partial<Parameters<typeof framesChart>[0]> = {}) {
  const columns = callColumns(calls)
  return framesChart({
    series: reduceFrames(columns, { from: 1, to: calls.length }),
    marks: sessionMarks(columns, []),
    width: 1000,
    height: 300,
    scale: 'window',
    offsetMinutes: 0,
    ...rest,
  })
}

const calls = [{ tokens: { user: 50_000 } }, { tokens: { user: 90_000 } }, { tokens: { user: 120_000 } }]

describe('X3 the chart of frames', () => {
  it('names every load line of the default policy with its value, lowest line lowest', () => {
    const { lines, above } = chartOf(calls)
    expect(lines.map((line) => line.label)).toEqual([
      'window 200k',
      'hard 170k',
      'flush .75 150k',
      'slide 140k',
      'compact · flush 100k',
      'curate 80k',
    ])
    expect(above).toBeNull()
  })

  it('leaves space between the words of lines even where the lines are close', () => {
    const { lines } = chartOf(calls, { height: 150 })
    for (let i = 1; i < lines.length; i++) {
      expect((lines[i]?.at ?? 0) - (lines[i - 1]?.at ?? 0)).toBeGreaterThanOrEqual(15)
    }
  })

  it('fits the largest frame when asked, and says which lines are above', () => {
    const { top, above, lines } = chartOf(calls, { scale: 'fit' })
    expect(top).toBeCloseTo(134_400)
    expect(lines.map((line) => line.name)).toEqual(['compact', 'curate'])
    expect(above).toBe('slide 140k, flush .75 150k, hard 170k, window 200k')
  })

  it('begins with the window, unless no frame reaches a fifth of the lowest line and no draft is tried', () => {
    const { budget } = draftLadder(DEFAULT_POLICY)
    const scaleOf = (tokens: number, ladder = draftLadder(DEFAULT_POLICY), isDraft = false) => {
      const columns = callColumns([{ tokens: { user: tokens } }, { tokens: { user: 10 } }])
      const all = reduceFrames(columns, { from: 1, to: 2 })
      return scaleFor(all, sessionMarks(columns, []).windows, ladder, isDraft)
    }
    // The lowest line of the default policy is at 80k in a window of 200k.
    expect(scaleOf(15_999)).toBe('fit')
    expect(scaleOf(16_000)).toBe('window')
    expect(scaleOf(15_999, undefined, true)).toBe('window')
    const without = { lines: () => [], budget }
    expect(scaleOf(39_999, without)).toBe('fit')
    expect(scaleOf(40_000, without)).toBe('window')
    const none = callColumns([])
    expect(scaleFor(reduceFrames(none, { from: 1, to: 0 }), [], without, false)).toBe('window')
  })

  it('steps its lines where the window changes, and marks the change', () => {
    const columns = callColumns(calls)
    const windows = [
      { from: 1, tokens: 200_000, source: 'model' as const },
      { from: 3, tokens: 100_000, source: 'model' as const },
    ]
    const { lines, changes } = chartOf(calls, { marks: { ...sessionMarks(columns, []), windows } })
    const compact = lines.find((line) => line.name === 'compact')
    expect(compact?.label).toBe('compact · flush 50k')
    expect(compact?.path.match(/M/g)).toHaveLength(2)
    expect(changes).toHaveLength(1)
    expect(changes[0]?.title).toBe('From call 3: window 200k→100k')
  })

  it('X18 on a narrow chart has the words of lines at its beginning, where one window holds for all calls', () => {
    const wordsAt = (width: number, ...starts: readonly number[]) => {
      const windows = starts.map((from) => ({ from, tokens: 200_000 * from, source: 'model' as const }))
      return chartOf(calls, { width, marks: { ...sessionMarks(callColumns(calls), []), windows } }).words
    }
    expect(wordsAt(1000, 1)).toBe('beside')
    expect(wordsAt(320, 1)).toBe('start')
    expect(wordsAt(320, 1, 3)).toBe('end')
    expect(wordsAt(320, 2)).toBe('end')
  })

  it('takes its scale from the windows that last, not from one that held for a call', () => {
    const columns = callColumns(Array.from({ length: 40 }, () => ({ total: 1000 })))
    const windows = [
      { from: 1, tokens: 1_000_000, source: 'model' as const },
      { from: 2, tokens: 200_000, source: 'model' as const },
    ]
    const series = reduceFrames(columns, { from: 1, to: 40 })
    expect(chartOf([], { series, marks: { ...sessionMarks(columns, []), windows } }).top).toBe(206_000)
  })

  it('never cuts off a frame larger than the window', () => {
    expect(chartOf([{ total: 260_000 }]).top).toBeGreaterThan(260_000)
  })

  it('puts call numbers and times under the columns, the day only when it changes', () => {
    const { xTicks } = chartOf(
      Array.from({ length: 40 }, (_, i) => ({ total: 1, at: Date.UTC(2026, 6, 1, 23, 30) + i * 60_000 })),
    )
    expect(xTicks.map((tick) => tick.label)).toEqual(['5', '10', '15', '20', '25', '30', '35', '40'])
    expect(xTicks[0]?.note).toBe('1 Jul 23:34')
    expect(xTicks[1]?.note).toBe('23:39')
    expect(xTicks[6]?.note).toBe('2 Jul 00:04')
  })

  it('finds the layer at a height', () => {
    const series = reduceFrames(
      callColumns([{ tokens: { 'system-prompt': 10, user: 20 } }, { total: null }]),
      {
        from: 1,
        to: 2,
      },
    )
    expect(categoryAt(series, 0, 5)).toBe('system-prompt')
    expect(categoryAt(series, 0, 15)).toBe('user')
    expect(categoryAt(series, 0, 31)).toBeNull()
    expect(categoryAt(series, 1, 5)).toBeNull()
  })

  it('draws an empty session without lines or ticks of nowhere', () => {
    const view = chartOf([])
    expect(view.geometry.layers).toEqual([])
    expect(view.top).toBeGreaterThan(0)
  })
})

describe('X8 the policy on the chart', () => {
  const calls = callColumns([{ total: 10_000 }, { total: 150_000 }])
  const series = reduceFrames(calls, { from: 1, to: 2 })
  const marks = sessionMarks({ ...calls, windows: [{ from: 1, tokens: 200_000, source: 'model' }] }, [])
  const drawn = (policy: Policy) =>
    framesChart({
      ...{ series, marks, width: 900, height: 300, scale: 'window', offsetMinutes: 0 },
      ladder: draftLadder(policy),
    })

  it('X9 draws what the runtime really has, and no line of ours', () => {
    const labels = (runtime: RuntimePolicy) =>
      framesChart({
        ...{ series, marks, width: 900, height: 300, scale: 'window', offsetMinutes: 0 },
        ladder: runtimeLadder(runtime),
      }).lines.map(({ label }) => label)
    expect(labels(runtimePolicyWith())).toEqual(['window 200k', 'compact 180k', 'flush 176k'])
    expect(labels(runtimePolicyWith({ owner: 'pi' }))).toEqual(['window 200k', 'compact 184k'])
    const nine = { era: 'sqlite', version: { value: '2026.9.6', from: 'x' } } as const
    expect(labels(runtimePolicyWith(nine, { provider: 'openai' }))).toEqual([
      'window 200k',
      'compact 180k',
      'flush 176k',
      'provider compact 140k',
    ])
  })

  it('draws the load lines of a draft, those that act', () => {
    const policy = withChanges(DEFAULT_POLICY, { 'lines.compact.at': 0.6, 'lines.slide.enabled': false })
    expect(
      drawn(policy)
        .lines.map((line) => line.label)
        .sort(),
    ).toEqual(['compact 120k', 'curate 80k', 'flush .50 100k', 'flush .75 150k', 'hard 170k', 'window 200k'])
  })

  it('draws the regions from the bottom up, where the policy divides the window', () => {
    expect(drawn(DEFAULT_POLICY).regions).toEqual([])
    const { regions, plot, top } = drawn(withChanges(DEFAULT_POLICY, { 'budget.enabled': true }))
    const pixels = (tokens: number) => (tokens / top) * plot.height
    expect(regions.map((region) => region.title)[2]).toBe('History: 90\u202f000 tokens')
    expect(regions[0]?.y).toBeCloseTo(plot.height - pixels(30_000), 0)
    expect(regions.reduce((sum, region) => sum + region.height, 0)).toBeCloseTo(pixels(200_000), 0)
  })
})

describe('time axis', () => {
  it('follows the clock of the reader', () => {
    expect(axisTime(Date.UTC(2026, 0, 31, 23, 30), null, 60)).toBe('1 Feb 00:30')
  })
})
