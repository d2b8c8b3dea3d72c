import { describe, expect, it } from 'vitest'
import { estimated, UNKNOWN } from '../tokens/figure'
import type { ExaminedSession, FoundSign } from './detector'
import type { Severity } from './finding'
import { makeFinding } from './make-finding'

/** A session that cost so much, in dollars as its record has them and as the list of prices has them. */
function session(costUsd: number | null, listUsd: number | null = null): ExaminedSession {
  const names = { transcriptId: 't', storeId: 's', sessionId: 'berth', agent: null }
  return { ...names, totals: { provider: 'anthropic', model: 'one', costUsd, listUsd } } as ExaminedSession
}

function sign(usd: number | null, severity: Severity = 'low'): FoundSign {
  return {
    ...{ subject: '', cause: 'pi', severity, confidence: 'likely' },
    evidence: { times: 1, calls: [1], lines: [], before: null, after: null },
    cost: { tokens: UNKNOWN, usd: usd === null ? UNKNOWN : estimated(usd, 10), calls: UNKNOWN, unpriced: 0 },
    ...{ firstSeen: null, lastSeen: null, sentence: 'It is dear.', remedies: [] },
  }
}

const severity = (of: FoundSign, on: ExaminedSession) => makeFinding('kept-too-long', of, on).severity

describe('how much a finding matters', () => {
  it('is no little from a dollar on that is a fifth of what the session cost', () => {
    expect(severity(sign(6), session(30))).toBe('medium')
    expect(severity(sign(5.9), session(30))).toBe('low')
    expect(severity(sign(0.99), session(1))).toBe('low')
    expect(severity(sign(1), session(1))).toBe('medium')
  })

  it('goes by the list of prices where the record has none, and stays where nothing is known', () => {
    expect(severity(sign(6), session(null, 30))).toBe('medium')
    expect(severity(sign(6), session(null))).toBe('low')
    expect(severity(sign(null), session(30))).toBe('low')
  })

  it('is never made more than medium, or less than it is, by money', () => {
    expect(severity(sign(30, 'high'), session(30))).toBe('high')
    expect(severity(sign(30, 'medium'), session(30))).toBe('medium')
    expect(severity(sign(0.01, 'high'), session(30))).toBe('high')
  })
})
