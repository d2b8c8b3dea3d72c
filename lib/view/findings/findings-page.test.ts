import { describe, expect, it } from 'vitest'
import type { SessionFinding } from '../../core/findings/finding'
import { estimated, measured } from '../../core/tokens/figure'
import { findingsView, readFindingsPlace } from './findings-page'
import { findingsQuery } from './findings-place'

const finding: SessionFinding = {
  id: 'will-not-fit.1',
  kind: 'will-not-fit',
  cause: 'will-not-fit',
  severity: 'high',
  confidence: 'certain',
  evidence: { times: 9, calls: [3, 4, 5, 6, 7], lines: [], before: null, after: null },
  cost: { tokens: measured(90_000), usd: estimated(0.5, 10), calls: measured(9), unpriced: 0 },
  firstSeen: 1,
  lastSeen: 2,
  concerns: {
    storeId: 's',
    transcriptId: 'ab12',
    sessionId: 'berth',
    agent: 'main',
    provider: null,
    model: null,
  },
  sentence: 'The next call will not fit.',
  remedies: [
    { by: 'setting', lever: 'keep', runtime: 'openclaw', key: 'a.b', value: 'cache-ttl', words: 'Set it.' },
    { by: 'command', argv: ['plimsoll', 'compact', 'berth'], words: 'Compact it.' },
    { by: 'advice', words: 'Ask less.' },
  ],
}
const session = {
  id: 'ab12',
  sessionId: 'berth',
  name: 'Berth plan',
  key: null,
  agent: 'main',
  channel: null,
}
const cause = (over: object = {}) => ({
  ...{ kind: 'will-not-fit', cause: 'will-not-fit', severity: 'high' as const, sessions: 2 },
  ...{ usd: 0.59, tokens: 219_600, withoutUsd: 0, withoutTokens: 0, lastSeen: 2 },
  worst: { finding, session, goneAt: null },
  ...over,
})

describe('the page of findings', () => {
  it('leads from a cause to its dearest session and calls, with what it cost and what to do', () => {
    const [item] = findingsView([cause()], { severity: null, kind: null, show: 'open' }).causes
    expect(item).toMatchObject({
      sentence: 'The next call will not fit.',
      cost: '≈ $0.59 · 220k tokens in 2 sessions',
      session: { title: 'Berth plan', place: 'main', href: '/sessions/ab12' },
    })
    expect(item?.title).not.toBe('will-not-fit')
    expect(item?.calls.map(({ href }) => href)).toEqual([3, 4, 5, 6].map((n) => `/sessions/ab12?call=${n}`))
    expect(item?.remedies).toEqual([
      { words: 'Set it.', code: 'a.b: "cache-ttl"' },
      { words: 'Compact it.', code: 'plimsoll compact berth' },
      { words: 'Ask less.', code: null },
    ])
  })

  it('says what is unknown, and never takes it for nothing', () => {
    const cost = (over: object) =>
      findingsView([cause(over)], { severity: null, kind: null, show: 'open' }).causes[0]?.cost.replace(
        /\u202f/g,
        ' ',
      )
    expect(cost({ usd: null, sessions: 1 })).toBe('price unknown · 220k tokens in 1 session')
    expect(cost({ withoutUsd: 1, tokens: null })).toBe('≈ $0.59 and what has no price in 2 sessions')
  })

  it('shows one severity or one kind, and counts those of the others', () => {
    const causes = [
      cause(),
      cause({ severity: 'low', cause: 'x' }),
      cause({ severity: 'low', kind: 'cache-expired' }),
    ]
    const view = findingsView(causes, { severity: 'low', kind: 'will-not-fit', show: 'open' })
    expect(view.causes).toHaveLength(1)
    expect(view.counts).toEqual({ high: 1, medium: 0, low: 1 })
  })

  it('says of a muted one why and until when', () => {
    const mute = { finding: 'other.1', cause: 'will-not-fit', reason: 'Known.', at: 1, until: null }
    const place = { severity: null, kind: null, show: 'muted' } as const
    expect(findingsView([cause()], place, [mute]).causes[0]).toMatchObject({
      ...{ finding: 'will-not-fit.1', sessionId: 'ab12', hasSetting: true },
      mute: { reason: 'Known.', at: 1, until: null },
    })
    expect(findingsView([cause()], place).causes[0]?.mute).toBeNull()
  })

  it('keeps what is chosen in the address', () => {
    const place = { severity: 'high', kind: 'cache-expired', show: 'muted' } as const
    const query = findingsQuery(place)
    expect(readFindingsPlace(Object.fromEntries(new URLSearchParams(query)))).toEqual(place)
    expect(readFindingsPlace({ severity: 'worst', kind: 'constructor' })).toEqual({
      severity: null,
      kind: null,
      show: 'open',
    })
  })
})
