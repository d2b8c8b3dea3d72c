import { describe, expect, it } from 'vitest'
import type { CompactionPlan } from '../../core/compaction/plan'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { memorySession, planSourceOf } from '../../testing/memory-session'
import { summariseSession } from './summarise-session'

const WORDS = ['anchor', 'beacon', 'crane', 'dock', 'ebb', 'ferry']

/** The summary of a session of six messages that goes on from `firstKept`, with a text up to a message of it. */
async function summaryOf(
  uptoSeq: number | null,
  firstKept: string,
  source: 'checkpoint' | 'digest' = 'checkpoint',
) {
  const session = new TranscriptBuilder()
  for (const word of WORDS) session.user(`Please paint the ${word}.`)
  const stored = await memorySession(session.text())
  const read = await planSourceOf(stored)
  const plan = { firstKeptEntryId: firstKept, summary: { source } } as CompactionPlan
  const covering = uptoSeq === null ? null : { text: 'So far.', tokens: 2, uptoSeq }
  const none = { previous: null, archive: [], newestAsk: null, important: [], workspaceRules: null }
  const material = { ...none, pruned: [], parts: [], prefix: [], oversized: [], recentTurns: [] }
  const result = await summariseSession(
    stored.reader,
    read,
    { plan, covering, material },
    {
      ...{ policy: DEFAULT_POLICY, chain: null, focus: null, maxTokens: 500 },
      ...{ sizeOf: (text) => text.length / 4, mask: (text) => text, isSecret: () => false },
    },
  )
  if (result.kind !== 'written') throw new Error(result.kind)
  const { text } = result.summary
  return { text, source: result.summary.source, said: WORDS.filter((word) => text.includes(word)) }
}

describe('E11 the summary that a plan calls for', () => {
  it.each<[number, string, readonly string[]]>([
    [1, 'e4', ['beacon', 'crane']],
    [2, 'e6', ['crane', 'dock', 'ebb']],
    [3, 'e4', []],
    [5, 'e3', []],
  ])('a text up to message %i, and what came after it before %s', async (upto, firstKept, said) => {
    const summary = await summaryOf(upto, firstKept)
    expect(summary).toMatchObject({ source: 'checkpoint', said })
    expect(summary.text.startsWith('So far.')).toBe(true)
  })

  it('is made of the messages where the plan does not take that text, or there is none', async () => {
    for (const upto of [2, null]) {
      const summary = await summaryOf(upto, 'e4', 'digest')
      expect(summary.source).toBe('digest')
      expect(summary.text).not.toContain('So far.')
    }
  })
})
