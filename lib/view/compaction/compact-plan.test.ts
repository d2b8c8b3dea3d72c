import { describe, expect, it } from 'vitest'
import type { CompactionPlan, PlanChunk } from '../../core/compaction/plan'
import { measured } from '../../core/tokens/figure'
import {
  costWords,
  groupChunks,
  mainCategory,
  nothingSentence,
  pendingSentence,
  planRows,
  planView,
} from './compact-plan'

const chunk = (
  action: PlanChunk['action'],
  rule: PlanChunk['rule'],
  tokens: number,
  seqs: number[] = [1],
): PlanChunk => ({ entryIds: seqs.map(String), seqs, action, rule, tokens, byCategory: { user: tokens } })

const chunks = [
  chunk('keep', 'fixed', 900, []),
  chunk('summarise', 'earlier', 100),
  chunk('summarise', 'cut', 5_000, [2, 3]),
  chunk('summarise', 'cut', 2_000),
  chunk('keep', 'tail', 300),
]

const plan: CompactionPlan = {
  kind: 'plan',
  window: 20_000,
  tokensBefore: measured(8_300),
  tokensAfter: { value: 1_700, basis: 'estimated', errorPct: 10 },
  before: { user: 7_400, 'system-prompt': 900, thinking: 0 },
  after: { user: 300, 'system-prompt': 900, summary: 500 },
  firstKeptEntryId: 'k',
  chunks,
  requests: { pruned: [], parts: [[2, 3]], prefix: [], oversized: [] },
  summary: { source: 'digest', tokens: 500 },
  recordTokensBefore: 8_000,
  cost: { calls: 0, inputTokens: 0, outputTokens: 0, usd: 0, source: null, cacheLost: null },
  warnings: [],
}
const shared = {
  calls: 9,
  call: 'next',
  window: 20_000,
  windowWords: '20 000 tokens',
  asked: [],
  couldAsk: null,
} as const

describe('X7 a plan for the page', () => {
  it('groups chunks by action in a fixed order, their rules by size, and loses no token', () => {
    const groups = groupChunks(chunks)
    expect(groups.map(({ action, chunks: count, tokens }) => [action, count, tokens])).toEqual([
      ['keep', 2, 1_200],
      ['summarise', 3, 7_100],
    ])
    expect(groups[1]?.rules.map(({ rule, chunks: count }) => [rule, count])).toEqual([
      ['cut', 2],
      ['earlier', 1],
    ])
    expect(groups.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(8_300)
  })

  it('gives parts in stacking order, empty ones left out, and says where the rest begins', () => {
    const view = planView(plan, shared, (id) => (id === 'k' ? { seq: 4, line: 5 } : null))
    if (view.kind !== 'plan') throw new Error('a plan was expected')
    expect(view.before.map(({ category }) => category)).toEqual(['system-prompt', 'user'])
    expect(view.firstKept).toEqual({ entryId: 'k', seq: 4, line: 5 })
    expect(planRows(view.before, view.after)).toEqual([
      { category: 'system-prompt', before: 900, after: 900 },
      { category: 'summary', before: 0, after: 500 },
      { category: 'user', before: 7_400, after: 300 },
    ])
  })

  it('nothing to compact is an answer with its reason', () => {
    const nothing = { kind: 'nothing', why: 'just-compacted', tokensBefore: measured(5) } as const
    expect(planView(nothing, shared, () => null)).toMatchObject({
      kind: 'nothing',
      sentence: 'Nothing to compact: the last entry is a compaction or a reset already.',
    })
    expect(nothingSentence({ why: 'off' })).toContain('switched off')
  })

  it('says what asking costs', () => {
    expect(costWords(plan.cost)).toBe('no model is asked')
    expect(costWords({ ...plan.cost, calls: 2, inputTokens: 1_200, outputTokens: 80 })).toBe(
      '2 requests, about 1\u202f200 tokens in and 80 tokens out',
    )
  })

  it('names a chunk after the category that most of it is', () => {
    expect(mainCategory({ 'tool-call': 20, 'tool-result': 400 })).toBe('tool-result')
    expect(mainCategory({})).toBe('other')
  })
})

describe('D25 what becomes of a summary that is pending', () => {
  const asked = ['a', 'b'].map((name) => ({ name, address: null }))

  it('it is asked for again, as long as the settings say so', () => {
    expect(pendingSentence({ at: 1, asked, retried: true })).toMatch(
      /^a, and if it fails b, is asked for it again until it answers\./,
    )
  })

  it('with summary.retryMs 0 it is asked for only when somebody says so', () => {
    const said = pendingSentence({ at: 1, asked, retried: false })
    expect(said).not.toContain('until it answers')
    expect(said).toMatch(
      /summary\.retryMs: 0.*"plimsoll compact --retry-pending".*Then a, and if it fails b, is asked/,
    )
  })

  it('where no model is named, nothing is sent', () => {
    for (const retried of [true, false])
      expect(pendingSentence({ at: 1, asked: [], retried })).toMatch(/^Your settings name no model/)
  })
})
