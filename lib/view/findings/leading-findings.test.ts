import { describe, expect, it } from 'vitest'
import type { SessionFinding } from '../../core/findings/finding'
import { measured, UNKNOWN } from '../../core/tokens/figure'
import { leadingFindings } from './leading-findings'

const finding: SessionFinding = {
  ...{ id: 'will-not-fit.1', kind: 'will-not-fit', cause: 'will-not-fit', severity: 'high' },
  confidence: 'certain',
  evidence: { times: 1, calls: [3], lines: [], before: null, after: null },
  cost: { tokens: measured(90_000), usd: UNKNOWN, calls: measured(9), unpriced: 0 },
  ...{ firstSeen: 1, lastSeen: 2 },
  concerns: {
    ...{ storeId: 's', transcriptId: 'ab12', sessionId: 'berth' },
    ...{ agent: 'main', provider: null, model: null },
  },
  sentence: 'The next call will not fit.',
  remedies: [],
}
const worst = {
  ...{ finding, store: null, foundAt: 1, goneAt: null },
  session: { id: 'ab12', sessionId: 'berth', name: 'Berth', key: null, agent: null, channel: null },
}

describe('what the Overview leads with', () => {
  const lead = (sessions: number) => {
    const { kind, cause, severity } = finding
    const sums = { usd: null, tokens: 90_000, withoutUsd: 0, withoutTokens: 0, lastSeen: 2 }
    const causes = [{ kind, cause, severity, ...sums, sessions, worst }]
    const found = { causes, counts: { high: 1, medium: 0, low: 0 }, sessions: 40, muted: 0 }
    return leadingFindings(found, { mutes: [], applied: [], now: 3 }).causes[0]
  }

  it('is a sentence with its cost, and the way to all sessions with the cause', () => {
    expect(lead(26)).toMatchObject({
      sentence: 'The next call will not fit.',
      cost: 'price unknown · 90k tokens',
      where: 'same cause in 26 sessions',
      href: '/findings?session=ab12&finding=will-not-fit.1',
    })
  })

  it('is nothing where all there is is only worth knowing', () => {
    const { kind, cause } = finding
    const sums = { usd: 1, tokens: 1, withoutUsd: 0, withoutTokens: 0, lastSeen: 2, sessions: 1 }
    const causes = [{ kind, cause, severity: 'low' as const, ...sums, worst }]
    const found = { causes, counts: { high: 0, medium: 0, low: 1 }, sessions: 40, muted: 0 }
    expect(leadingFindings(found, { mutes: [], applied: [], now: 3 })).toMatchObject({
      causes: [],
      counts: { low: 1 },
    })
  })

  it('has what is only worth knowing beside worse things, where it is known to cost a cent', () => {
    const { kind, cause } = finding
    const sums = { tokens: 1, withoutUsd: 0, withoutTokens: 0, lastSeen: 2, sessions: 1, worst }
    const low = (usd: number | null) => ({ kind, cause, severity: 'low' as const, usd, ...sums })
    const causes = [low(0.5), low(0.002), low(null)]
    const found = { causes, counts: { high: 1, medium: 0, low: 3 }, sessions: 40, muted: 0 }
    expect(leadingFindings(found, { mutes: [], applied: [], now: 3 }).causes).toHaveLength(1)
  })

  it('leads to the finding itself where one session has it', () => {
    expect(lead(1)).toMatchObject({ where: 'Berth', href: '/sessions/ab12/findings#will-not-fit.1' })
  })

  it('names the store where it is about one as a whole', () => {
    const store = { id: 'st1', kind: 'pi', root: '/home/.pi/agent/sessions', label: 'pi · x' }
    const { kind, cause, severity } = finding
    const sums = { usd: null, tokens: null, withoutUsd: 1, withoutTokens: 1, lastSeen: 2, sessions: 3 }
    const causes = [{ kind, cause, severity, ...sums, worst: { ...worst, store } }]
    const found = { causes, counts: { high: 1, medium: 0, low: 0 }, sessions: 40, muted: 0 }
    expect(leadingFindings(found, { mutes: [], applied: [], now: 3 }).causes[0]).toMatchObject({
      where: 'pi · sessions',
      href: '/findings?store=st1&finding=will-not-fit.1',
      cost: expect.stringMatching(/^no price is known · 3.transcripts$/),
    })
  })
})
