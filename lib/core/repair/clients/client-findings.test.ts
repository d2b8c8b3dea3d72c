import { describe, expect, it } from 'vitest'
import { FINDING_FACTS } from '../finding'
import { clientRisk, findingFacts } from './client-findings'

describe('M10 what damage means', () => {
  it('to pi and OpenClaw, and to another client where that is another thing', () => {
    expect(findingFacts('orphan-result', undefined)).toBe(FINDING_FACTS['orphan-result'])
    expect(findingFacts('torn-tail', 'codex')).toEqual(FINDING_FACTS['torn-tail'])
    const facts = findingFacts('unparseable-line', 'claude-code')
    expect(facts.title).toBe(FINDING_FACTS['unparseable-line'].title)
    expect(facts.why).not.toBe(FINDING_FACTS['unparseable-line'].why)
    expect([FINDING_FACTS['unparseable-line'].risk, clientRisk('claude-code', 'unparseable-line')]).toEqual([
      'high',
      'medium',
    ])
  })
})
