import { describe, expect, it } from 'vitest'
import type { SessionFinding } from '../../core/findings/finding'
import { estimated, measured, UNKNOWN } from '../../core/tokens/figure'
import { callMarks } from './call-marks'
import { sessionFindingsSummary, sessionFindingsView } from './session-findings'

const session = { id: 'ab12', sessionId: 'berth', name: null, key: null, agent: 'main', channel: null }

function kept(id: string, over: Partial<SessionFinding> = {}, goneAt: number | null = null) {
  const finding: SessionFinding = {
    ...{ id, kind: 'cache-expired', cause: id, severity: 'medium', confidence: 'likely' },
    evidence: { times: 2, calls: [3, 4], lines: [], before: null, after: null },
    cost: { tokens: measured(9_000), usd: estimated(0.5, 10), calls: measured(2), unpriced: 1 },
    ...{ firstSeen: 1, lastSeen: 2 },
    concerns: {
      ...{ storeId: 's', transcriptId: 'ab12', sessionId: 'berth' },
      ...{ agent: 'main', provider: null, model: null },
    },
    sentence: `${id} of 2 calls.`,
    remedies: [],
    ...over,
  }
  return { finding, session, store: null, foundAt: 1, goneAt }
}

const mute = { finding: 'b', cause: 'b', reason: 'Known.', at: 1, until: null }

describe('the findings of a session', () => {
  it('are open, muted or gone, with what each cost here', () => {
    const view = sessionFindingsView([kept('a'), kept('b'), kept('c', {}, 9)], {
      mutes: [mute],
      applied: [],
      now: 10,
    })
    const ids = (items: readonly { readonly finding: string }[]) => items.map(({ finding }) => finding)
    expect([ids(view.open), ids(view.muted), ids(view.gone)]).toEqual([['a'], ['b'], ['c']])
    expect(view.open[0]?.cost).toBe('≈ $0.50 and what has no price · 9k tokens')
  })

  it('say what they cost as unknown, never as nothing', () => {
    const cost = { tokens: UNKNOWN, usd: UNKNOWN, calls: UNKNOWN, unpriced: 0 }
    const { open } = sessionFindingsView([kept('a', { cost })], { mutes: [], applied: [], now: 10 })
    expect(open[0]?.cost).toBe('price unknown')
  })

  it('are marked at their calls, unless they are muted or name none', () => {
    const none = { times: 1, calls: [0], lines: [7], before: null, after: null }
    const found = [kept('a'), kept('b'), kept('c', { evidence: none })]
    const summary = sessionFindingsSummary(found, [mute], 10)
    expect(summary.open).toBe(2)
    expect(summary.marks.map(({ finding, calls }) => [finding, calls])).toEqual([['a', [3, 4]]])
  })
})

describe('marks on a chart', () => {
  const { marks } = sessionFindingsSummary(
    [kept('a'), kept('b', { severity: 'high', evidence: { ...kept('b').finding.evidence, calls: [4, 90] } })],
    [],
    10,
  )

  it('are at their calls, and one where they would be hit together, the worst first', () => {
    const placed = callMarks(marks, { from: 1, to: 100 }, 1_000, 24)
    expect(placed.map(({ call, last, x, severity }) => [call, last, x, severity])).toEqual([
      [3, 4, 25, 'high'],
      [90, 90, 895, 'high'],
    ])
    expect(placed[0]?.label).toBe('Calls 3 to 4: high: b of 2 calls. medium: a of 2 calls.')
  })

  it('are those of the calls on the chart alone', () => {
    expect(callMarks(marks, { from: 50, to: 100 }, 1_000, 24).map(({ call }) => call)).toEqual([90])
    expect(callMarks(marks, { from: 5, to: 20 }, 1_000, 24)).toEqual([])
  })
})
