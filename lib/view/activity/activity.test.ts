import { describe, expect, it } from 'vitest'
import { HealthFold } from '../../core/logs/health-series'
import type { LogKind } from '../../core/logs/log-kinds'
import { readLogLine } from '../../core/logs/read-log-line'
import { ScoreFold } from '../../core/logs/score-histogram'
import { coldQueryText, coldRow, parseColdParams } from '../cold/cold-storage'
import { activityQueryText, activityRow, parseActivityParams } from './activity'
import { healthPlot, savingsPlot, scorePlot } from './activity-charts'
import { curvePlot } from './cutoff-plot'

const row = (kind: LogKind, line: object) => {
  const read = readLogLine(kind, JSON.stringify(line))
  if (!read.ok) throw new Error(read.problem)
  return activityRow(read.record, { file: '/logs/x.jsonl', line: 3 }, null)
}

describe('X14 rows of the logs', () => {
  it('say what happened in the names of the plan and of the module alike', () => {
    expect(row('compaction', { tokens_before: 80_000, tokens_after: 40_000, trigger: 'manual' }).what).toBe(
      '80 000 → 40 000 tokens, by manual'.replaceAll(' 000', '\u202f000'),
    )
    expect(row('compaction', { token_savings: 5 }).what).toContain('5 tokens saved, by an unknown trigger')
    expect(row('curation', { query: 'pier', token_savings: 9, drops_triggered: 2 }).what).toContain(
      '9 tokens saved, 2 dropped',
    )
    expect(row('drops', { chunk_id: 'c', relevance_score: 0.15, threshold_used: 0.3 })).toMatchObject({
      chunk: 'c',
      what: 'no reason given: score 0.150, cut-off 0.3, ? tokens',
    })
    expect(row('recovery', { chunk_ids: ['a', 'b'], query: 'q' }).what).toContain('2 back into the context')
    expect(row('recovery', { chunk_id: 'a', event: 'recovery_undone', destination: 'context' }).what).toBe(
      '1 taken back out of the context',
    )
    const recovered = (destination: string, trigger: string) =>
      row('recovery', { chunk_id: 'a', destination, trigger }).what
    expect(recovered('transcript', 'manual')).toBe('1 back into its transcript, by hand')
    expect(recovered('stdout', 'manual')).toBe('1 copied to standard output, by hand')
    expect(recovered('attic', 'whim')).toBe('1 back into attic, by whim')
    expect(row('health', { current_tokens: 10, max_tokens: 40 }).what).toMatch(/^25\s%/)
  })

  it('Q10 cover credentials and name hidden characters', () => {
    const secret = ['sk-', 'ant-', 'api03-', 'Zx81Qw72Er63Ty54Ui45Op36'].join('')
    const { what, more } = row('curation', {
      query: `use ${secret}`,
      api_key: 'Zx81Qw72Er63Ty54',
      note: '\u202ex',
    })
    expect(`${what} ${more}`).not.toContain('Zx81Qw72Er63Ty54')
    expect(more).not.toContain('\u202e')
  })
})

describe('addresses', () => {
  it('carry what is asked for, and leave out what cannot be meant', () => {
    const search = new URLSearchParams('q=a&kind=drops&session=s&since=2026-01-02&until=soon&page=3')
    const params = parseActivityParams((name) => search.get(name))
    expect(params).toEqual({ q: 'a', kind: 'drops', session: 's', since: '2026-01-02', until: '', page: 3 })
    expect(activityQueryText(params)).toBe('?q=a&kind=drops&session=s&since=2026-01-02&page=3')
    const cold = new URLSearchParams('q=x&min=0.1&max=many&expired=only&page=0')
    const asked = parseColdParams((name) => cold.get(name))
    expect(coldQueryText(asked)).toBe('?q=x&min=0.1&expired=only')
  })
})

describe('I3 I4 rows of cold storage', () => {
  it('mark what was searched for, cover credentials, and say what has expired', () => {
    const chunk = {
      ...{ chunkId: 'c', sessionId: 's', at: 1, until: 5, tokens: null, reason: null, score: 0.2 },
      content: 'The Harbour holds sk-ant-api03-AAAABBBBCCCCDDDD1234 tons.',
    }
    const shown = coldRow(chunk, 'harbour', 6, null)
    expect(shown.expired).toBe(true)
    expect(shown.snippet.filter(({ hit }) => hit).map(({ text }) => text)).toEqual(['Harbour'])
    expect(shown.snippet.map(({ text }) => text).join('')).not.toContain('AAAABBBB')
  })
})

describe('W2 W3 pictures of the logs', () => {
  it('W2 a bar for each bin, as high as its share of the highest', () => {
    const scores = new ScoreFold()
    for (const score of [0.1, 0.11, 0.9]) scores.push(score)
    const { bars, yTicks } = scorePlot(scores.histogram(), 200, 100)
    expect(bars).toHaveLength(20)
    const high = bars.filter(({ height }) => height > 0)
    expect(high.map(({ key }) => key)).toEqual(['0.10', '0.90'])
    expect(high[0]?.height).toBeCloseTo((high[1]?.height ?? 0) * 2)
    expect(yTicks[0]).toMatchObject({ value: 0, at: 100 })
  })

  it('W3 curations are drawn above compactions', () => {
    const days = [{ day: '2026-01-01', compaction: 30, curation: 10, unknown: 0 }]
    const { bars, upper } = savingsPlot(days, 100, 80)
    expect((upper[0]?.y ?? 0) + (upper[0]?.height ?? 0)).toBeCloseTo(bars[0]?.y ?? -1)
  })

  it('a time without a check is a gap', () => {
    const fold = new HealthFold()
    fold.push(0, 0.2)
    fold.push(10 * 60_000, 0.8)
    const { bars } = healthPlot(fold.points(), 110, 100)
    expect(bars.map(({ x, width }) => [Math.round(x), Math.round(width)])).toEqual([
      [0, 10],
      [100, 10],
    ])
  })

  it('days of health are named where they begin, each once', () => {
    const hour = 3_600_000
    const fold = new HealthFold()
    for (let at = 12 * hour; at <= 84 * hour; at += hour) fold.push(at, 0.5)
    const { xTicks } = healthPlot(fold.points(), 720, 100)
    expect(xTicks.map(({ label }) => label)).toEqual(['2 Jan', '3 Jan', '4 Jan'])
    expect(xTicks[0]?.at).toBeCloseTo(120, -1)
    const narrow = healthPlot(fold.points(), 200, 100)
    expect(narrow.xTicks.map(({ label }) => label)).toEqual(['2 Jan', '4 Jan'])
    const few = new HealthFold()
    for (const at of [0, hour]) few.push(at, 0.5)
    const clock = healthPlot(few.points(), 200, 100).xTicks.map(({ label }) => label)
    expect(clock).toEqual(['00:00', '00:30', expect.stringMatching(/^01:0\d$/)])
  })

  it('W4 the curve climbs from nothing to all of them', () => {
    const curve = [
      { cutoff: 0, dropped: 0, tokens: 0, against: 0 },
      { cutoff: 0.5, dropped: 4, tokens: 8, against: 1 },
    ]
    const { dropped, against, xOf } = curvePlot(curve, 100, 40)
    expect(dropped).toBe('M0 40V40H100V0H100V40Z')
    expect(against).toBe('M0 40V40H100V30H100V40Z')
    expect([xOf(0.25), xOf(0.9)]).toEqual([50, 100])
  })
})
