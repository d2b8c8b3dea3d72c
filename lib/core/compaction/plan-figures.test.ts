import { describe, expect, it } from 'vitest'
import { SHORT_FIXED, shortPlanInput, shortPolicy } from '../../testing/builders/short-path'
import type { Policy } from '../policy/policy'
import { digestBudget } from '../summary/digest'
import { measured, UNKNOWN } from '../tokens/figure'
import { makePlan } from './make-plan'
import type { CompactionPlan } from './plan'
import type { PlanInput } from './plan-input'

/** Two turns of 80 and of 20 tokens behind a system prompt of 50; the tail is the second turn. */
const TWO = 'u=40 a=40 u=10 a=10'
const plan = (words: string, keep: number, over: Partial<PlanInput> = {}): CompactionPlan => {
  const found = makePlan(shortPlanInput(words, keep, over))
  if (found.kind !== 'plan') throw new Error(found.why)
  return found
}
const codes = (words: string, keep: number, over: Partial<PlanInput> = {}) =>
  plan(words, keep, over).warnings.map(({ code }) => code)
const messageOf = (found: CompactionPlan, code: string) =>
  found.warnings.find((warning) => warning.code === code)?.message ?? ''

describe('the figures of a plan', () => {
  it('what goes is taken off the total, and the summary is added; that is an estimate', () => {
    const found = plan(TWO, 20)
    expect(found).toMatchObject({
      ...{ kind: 'plan', window: 1000, tokensBefore: measured(150), recordTokensBefore: 150 },
      tokensAfter: { value: 150 - 80 + 10, basis: 'estimated', errorPct: 10 },
      before: { 'system-prompt': SHORT_FIXED, user: 50, assistant: 50 },
      after: { 'system-prompt': SHORT_FIXED, user: 10, assistant: 10, summary: 10 },
      firstKeptEntryId: 'e3',
      summary: { source: 'digest', tokens: 10 },
      warnings: [],
    })
    expect(
      found.chunks.map(({ action, rule, tokens, entryIds }) => [action, rule, tokens, entryIds.join()]),
    ).toEqual([
      ['keep', 'fixed', SHORT_FIXED, ''],
      ['summarise', 'cut', 40, 'e1'],
      ['summarise', 'cut', 40, 'e2'],
      ['keep', 'newest', 10, 'e3'],
      ['keep', 'tail', 10, 'e4'],
    ])
  })

  it('an unknown total stays unknown, whatever is known of its parts', () => {
    const found = plan(TWO, 20, { total: UNKNOWN })
    expect([found.tokensBefore, found.tokensAfter]).toEqual([UNKNOWN, UNKNOWN])
    expect(found.warnings.map(({ code }) => code)).toEqual(['unknown-total'])
  })

  it('a summary is sized by what goes, in whole tokens', () => {
    const sizes: number[] = []
    const summaryTokens = (gone: number) => {
      sizes.push(gone)
      return gone / 9
    }
    expect(plan(TWO, 20, { summaryTokens }).summary).toEqual({ source: 'digest', tokens: 9 })
    expect(sizes).toEqual([80])
    expect(plan(TWO, 20, { source: 'model' }).summary.source).toBe('model')
  })

  it('a plan that is switched off, and one of nothing, say why and how large the context is', () => {
    const off = shortPolicy(20)
    const policy: Policy = { ...off, compaction: { ...off.compaction, mode: 'off' } }
    expect(makePlan(shortPlanInput(TWO, 20, { policy }))).toEqual({
      ...{ kind: 'nothing', why: 'off', tokensBefore: measured(150) },
    })
    expect(makePlan(shortPlanInput(TWO, 999))).toEqual({
      ...{ kind: 'nothing', why: 'all-kept', tokensBefore: measured(150) },
    })
    expect(plan(TWO, 999, { manual: true }).firstKeptEntryId).toBe('e4')
  })

  it('what it asks of a model goes with it', () => {
    const price = { input: 3, output: 15, source: 'settings' } as const
    const { cost, requests } = plan(TWO, 20, {
      source: 'model',
      price,
      cacheRead: 70,
      summaryTokens: () => 30,
    })
    expect(requests).toEqual({ pruned: [], parts: [[1, 2]], prefix: [], oversized: [] })
    expect(cost).toEqual({
      ...{ calls: 1, inputTokens: 80 + 4096, outputTokens: 30, source: 'settings', cacheLost: 70 },
      usd: ((80 + 4096) * 3 + 30 * 15) / 1e6,
    })
  })
})

describe('E11: a checkpoint as the summary', () => {
  const covered = (uptoSeq: number, total: number, coverage = 0.5) => {
    const policy = shortPolicy(20)
    const { checkpoint } = policy.summary
    return plan(TWO, 20, {
      ...{ source: 'model', checkpoint: { uptoSeq, tokens: 30 }, total: measured(total) },
      policy: { ...policy, summary: { ...policy.summary, checkpoint: { ...checkpoint, coverage } } },
    })
  }

  it('serves from the share of the total on that the policy asks for', () => {
    // It covers two messages: 80 tokens.
    expect(covered(2, 160).summary).toEqual({ source: 'checkpoint', tokens: 30 })
    expect(covered(2, 161).summary).toEqual({ source: 'model', tokens: 10 })
    expect(covered(2, 160, 0.51).summary.source).toBe('model')
    expect(covered(1, 80).summary.source).toBe('checkpoint')
    expect(covered(1, 81).summary.source).toBe('model')
  })

  it('is not used where the total is unknown', () => {
    const checkpoint = { uptoSeq: 2, tokens: 30 }
    expect(plan(TWO, 20, { checkpoint, total: UNKNOWN }).summary.source).toBe('digest')
  })

  it('has a digest behind it for what it does not cover, and costs no call', () => {
    const found = covered(1, 80)
    expect(found.chunks.slice(1, 3).map(({ rule }) => rule)).toEqual(['checkpoint', 'cut'])
    expect(found.summary.tokens).toBe(30 + digestBudget(40))
    expect(found.cost).toMatchObject({ calls: 0, usd: 0 })
    expect(covered(2, 80).summary.tokens).toBe(30)
  })
})

describe('E2, A11: turns that stay, as far as there is room', () => {
  const WORDS = 'u=100 a=100 u=100 a=100 u=100 a=100'
  const kept = (over: Partial<PlanInput>, more: Partial<Policy['compaction']> = {}) => {
    const policy = shortPolicy(100, 2)
    return plan(WORDS, 100, { ...over, policy: { ...policy, compaction: { ...policy.compaction, ...more } } })
      .firstKeptEntryId
  }

  it('room is what reserve and system prompt leave of the window', () => {
    // Two turns are 400 tokens. A quarter of the window is kept free, the system prompt takes 50.
    expect(kept({ window: 600 })).toBe('e3')
    expect(kept({ window: 598 })).toBe('e5')
    expect(kept({ window: 600, fixed: { 'system-prompt': 51 } })).toBe('e5')
    expect(kept({ window: 600, fixed: { 'system-prompt': 30, 'tool-schemas': 20 } })).toBe('e3')
    expect(kept({ window: 20 })).toBe('e6')
  })

  it('where the policy holds the share of history, room is what the summary leaves of it', () => {
    // Half of the window, and a summary of ten tokens.
    const share = { withinShare: true }
    expect(kept({ window: 820 }, share)).toBe('e3')
    expect(kept({ window: 819 }, share)).toBe('e5')
    expect(kept({ window: 820, summaryTokens: () => 10.2 }, share)).toBe('e5')
    // The summary is sized by all that the context holds.
    expect(kept({ window: 1000, summaryTokens: (tokens) => tokens / 6 }, share)).toBe('e3')
    expect(kept({ window: 1000, summaryTokens: (tokens) => tokens / 5 }, share)).toBe('e5')
    // A large reserve may leave less than that.
    expect(kept({ window: 1000, fixed: { 'system-prompt': 351 } }, share)).toBe('e5')
  })
})

it('a checkpoint is the summary with a digest of what came after it, as large as that asks for', () => {
  const { summary } = plan('u=60000 a=20000 u a', 20, { checkpoint: { uptoSeq: 1, tokens: 5 } })
  expect(digestBudget(20_000)).toBeGreaterThan(digestBudget(0))
  expect(summary).toEqual({ source: 'checkpoint', tokens: Math.ceil(5 + digestBudget(20_000)) })
})

describe('what a plan warns of', () => {
  it('a window that is small, or so small that a run is refused', () => {
    const policy = {
      ...shortPolicy(20),
      window: { ...shortPolicy(20).window, blockBelow: 16_000, warnBelow: 32_000 },
    }
    expect(codes(TWO, 20, { policy, window: 32_000 })).toEqual([])
    const warned = plan(TWO, 20, { policy, window: 31_999 })
    expect(messageOf(warned, 'small-window')).toContain('31999 tokens is below 32000')
    expect(messageOf(plan(TWO, 20, { policy, window: 15_999 }), 'small-window')).toContain('below 16000')
  })

  it('a compaction that frees less than a tenth of the context', () => {
    // Of 150 tokens 80 go.
    expect(codes(TWO, 20, { summaryTokens: () => 65 })).toEqual([])
    expect(codes(TWO, 20, { summaryTokens: () => 66 })).toEqual(['frees-little'])
    expect(codes(TWO, 20, { summaryTokens: () => 99 })).toEqual(['frees-little'])
  })

  it('what stays is still larger than the window', () => {
    // Of 150 tokens 80 go, and a summary of ten comes in.
    const words = 'u=20 a=20 u=20 a=20 u=10 a=10'
    expect(codes(words, 20, { window: 80 })).toEqual([])
    expect(codes(words, 20, { window: 79 })).toEqual(['tail-too-large'])
    expect(codes(words, 20, { window: 79, total: UNKNOWN })).toEqual(['unknown-total'])
  })

  it('a cut through a turn, and one that was moved', () => {
    expect(codes('u=40 a=40 u=10 a=10', 10)).toEqual(['split-turn'])
    expect(codes('u=50 a=50 u a:x u r:x a', 30)).toEqual(['split-turn', 'moved-for-pairing'])
    expect(codes('u=50 a=50 u a:x u r:x a', 40)).toEqual(['split-turn'])
  })

  it('messages that are too large for any summary, one or several', () => {
    // Half of a window of 1,000 with a margin of 1.2: from 417 tokens on.
    expect(codes('u=416 a u a', 20)).toEqual([])
    expect(messageOf(plan('u=417 a u a', 20), 'oversized')).toMatch(
      /^1 message is very large\. .* hold it, a note names it\.$/,
    )
    expect(messageOf(plan('u=417 a=500 u a', 20), 'oversized')).toMatch(
      /^2 messages are very large\. .* hold them, a note names each\.$/,
    )
  })

  it('messages that are marked as important and leave their places, one or several', () => {
    expect(messageOf(plan('u!=40 a=40 u a', 20), 'pinned')).toMatch(
      /^1 message is marked as important and leaves its place; it is kept/,
    )
    expect(messageOf(plan('u!=40 a!=40 u a', 20), 'pinned')).toMatch(
      /^2 messages are marked as important and leave their places; they are kept/,
    )
    expect(codes('u=40 a=40 u! a', 20)).toEqual([])
  })

  it('the prompt cache starts over where something was read from it', () => {
    expect(codes(TWO, 20, { cacheRead: 1 })).toEqual(['cache-starts-over'])
    expect(codes(TWO, 20, { cacheRead: 0 })).toEqual([])
  })

  it('a checkpoint of the provider that the plan takes the place of', () => {
    expect(codes(TWO, 20, { replayed: true })).toEqual(['replaces-checkpoint'])
    expect(codes(TWO, 20, { replayed: false })).toEqual([])
  })

  it('several at once, in the same order', () => {
    const policy = { ...shortPolicy(10), window: { ...shortPolicy(10).window, warnBelow: 32_000 } }
    const over = { policy, window: 79, replayed: true, cacheRead: 9, summaryTokens: () => 80 }
    expect(codes('u!=40 a=40 u=10 a=10', 10, over)).toEqual([
      ...[
        'small-window',
        'replaces-checkpoint',
        'split-turn',
        'frees-little',
        'tail-too-large',
        'oversized',
        'pinned',
      ],
      'cache-starts-over',
    ])
  })
})
