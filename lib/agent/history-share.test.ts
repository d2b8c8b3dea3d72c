import { describe, expect, test } from 'vitest'
import type { ContentMessage } from '../core/history/thinking'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import type { Policy } from '../core/policy/policy'
import { liveAgent, sizeOf } from '../testing/live-conversation'

/** Turns of a user whose results take so many tokens each. */
function longTurns(count: number, tokens: number): ContentMessage[] {
  return Array.from({ length: count }, (_, i): ContentMessage[] => [
    { role: 'user', content: `Read ship ${i}.` },
    { role: 'assistant', content: 'word '.repeat(tokens) },
  ]).flat()
}

function policyWith(maxShare: number, withinShare = true): Policy {
  const { history, compaction } = DEFAULT_POLICY
  return { ...DEFAULT_POLICY, history: { ...history, maxShare }, compaction: { ...compaction, withinShare } }
}

/** Tokens of the conversation after a compaction by hand of eight turns of about 24k in a window of 200k. */
async function keptBy(policy: Policy): Promise<number> {
  const { context, held } = liveAgent(longTurns(8, 24_000), policy, { window: 200_000 })
  const done = await context.compact()
  expect(done.kind).toBe('compacted')
  return held.messages.reduce((sum, message) => sum + sizeOf(message), 0)
}

describe('A11: what history holds after a compaction', () => {
  test('is at most half the window by default, in whole turns', async () => {
    const kept = await keptBy(policyWith(0.5))
    expect(kept).toBeLessThanOrEqual(100_000)
    expect(kept).toBeGreaterThan(70_000)
  })

  test('follows the knob, below the tail as well', async () => {
    const sizes = [
      await keptBy(policyWith(0.9)),
      await keptBy(policyWith(0.5)),
      await keptBy(policyWith(0.3)),
    ]
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
    expect(new Set(sizes).size).toBe(3)
    expect(sizes[2]).toBeLessThanOrEqual(60_000)
  })

  test('is not held where the policy follows a runtime that holds none', async () => {
    expect(await keptBy(policyWith(0.5, false))).toBeGreaterThan(100_000)
  })

  test('is above it only where the newest message alone is, which is said', async () => {
    const { context } = liveAgent(longTurns(8, 24_000), policyWith(0.05), { window: 200_000 })
    const done = await context.compact()
    if (done.kind !== 'compacted') throw new Error(done.kind)
    expect(done.plan.warnings.map(({ code }) => code)).toContain('above-share')
  })
})
