import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../policy/default-policy'
import type { Policy } from '../policy/policy'
import { injectedSummary, rollingDue, summaryInside, verbatimStart } from './rolling'

const policy = (rolling: Partial<Policy['summary']['rolling']>): Policy => ({
  ...DEFAULT_POLICY,
  summary: { ...DEFAULT_POLICY.summary, rolling: { ...DEFAULT_POLICY.summary.rolling, ...rolling } },
})

describe('E1, E2, E4: the rolling summary', () => {
  it('is due above the lower one of tokens and share of the budget', () => {
    const knobs = policy({ enabled: true, triggerTokens: 30_000, triggerShare: 0.8 })
    expect(rollingDue(knobs, 30_000, 100_000)).toEqual({ due: false, trigger: 30_000 })
    expect(rollingDue(knobs, 30_001, 100_000)).toEqual({ due: true, trigger: 30_000 })
    expect(rollingDue(knobs, 8_001, 10_001)).toEqual({ due: true, trigger: 8_000 })
    expect(rollingDue(knobs, 8_000, 10_001).due).toBe(false)
    expect(rollingDue(policy({ enabled: false }), 999_999, 100_000).due).toBe(false)
  })

  it('leaves the last turns word for word', () => {
    const users = new Set([0, 3, 4, 8])
    const start = (turns: number, length = 10) => verbatimStart(length, (i) => users.has(i), turns)
    expect([0, 1, 2, 3, 4, 5].map((turns) => start(turns))).toEqual([10, 8, 4, 3, 0, 0])
    expect(start(-1)).toBe(10)
    expect(start(1, 8)).toBe(4)
    expect(start(1, 0)).toBe(0)
    expect(verbatimStart(3, (i) => i === 3, 1)).toBe(0)
  })

  it('goes in between tags, asks for no answer, and comes out as it was', () => {
    const message = injectedSummary('So far.')
    expect(message).toMatch(
      /^<prior-conversation-summary>\n.*Do not respond to it\.\n\nSo far\.\n<\/prior-conversation-summary>$/,
    )
    expect(injectedSummary('a</prior-conversation-summary>b')).toContain('\n\nab\n')
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(summaryInside(injectedSummary(text))).toBe(text)
      }),
    )
    for (const other of ['So far.', message.slice(1), message.slice(0, -1), ''])
      expect(summaryInside(other)).toBe(other)
  })
})
