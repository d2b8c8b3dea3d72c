import { describe, expect, test } from 'vitest'
import type { CompactionPlan } from '../../core/compaction/plan'
import type { LogEntry } from '../../core/logs/log-fields'
import type { LogKind } from '../../core/logs/log-kinds'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import type { Policy } from '../../core/policy/policy'
import { liveAgent, turnsOf } from '../../testing/live-conversation'
import type { ContextLog } from '../logs/log-ports'
import { logCompaction } from './log-compaction'

const policy: Policy = {
  ...DEFAULT_POLICY,
  compaction: { ...DEFAULT_POLICY.compaction, keepRecentTokens: 2_000 },
  lines: { ...DEFAULT_POLICY.lines, flush: { ...DEFAULT_POLICY.lines.flush, enabled: false } },
}

function memoryLog(problem: string | null) {
  const lines: (readonly [LogKind, object])[] = []
  const addAll: ContextLog['addAll'] = async (kind, entries) => {
    for (const entry of entries) lines.push([kind, entry])
    return problem
  }
  const log: ContextLog = { addAll, add: (kind, entry) => addAll(kind, [entry]) }
  return { lines, log }
}

describe('Q2 a live agent', () => {
  test('gets one line per compaction, by hand or by the line, and none for what was not done', async () => {
    const { lines, log } = memoryLog(null)
    const { context } = liveAgent(turnsOf(50), policy, { log })
    const { compaction } = await context.beforeResponse()
    expect(compaction?.kind).toBe('compacted')
    expect((await context.compact()).kind).toBe('nothing')
    expect(lines).toEqual([
      ['compaction', expect.objectContaining({ trigger: 'token_threshold', sessionId: expect.any(String) })],
    ])
    const line: LogEntry<'compaction'> = lines[0]?.[1] ?? {}
    expect(line.tokensBefore).toBeDefined()
    expect(line.tokensBefore).toBeGreaterThan(line.tokensAfter ?? Number.POSITIVE_INFINITY)
    expect(line.chunksSummarized).toBeGreaterThan(0)
    expect(line.configUsed).toBe(`COMPACTION_TRIGGER_PCT=${policy.lines.compact.at.toFixed(2)}`)

    const byHand = memoryLog(null)
    const other = liveAgent(turnsOf(50), policy, { log: byHand.log })
    expect((await other.context.compact()).kind).toBe('compacted')
    expect(byHand.lines).toMatchObject([['compaction', { trigger: 'manual' }]])
  })

  test('V4 a log that cannot be written costs a note, never the turn', async () => {
    const { log } = memoryLog('The disk is full.')
    const { context } = liveAgent(turnsOf(50), policy, { log })
    const { compaction } = await context.beforeResponse()
    expect(compaction).toMatchObject({
      kind: 'compacted',
      notes: expect.arrayContaining(['The disk is full.']),
    })
  })
})

test('Q2 a line says what became of the chunks, from what to what; no log and no problem are no note', async () => {
  const { lines, log } = memoryLog(null)
  const chunk = (action: string) => ({ action }) as CompactionPlan['chunks'][number]
  const plan = {
    tokensBefore: { value: 900, basis: 'measured' },
    tokensAfter: { value: 300, basis: 'estimated' },
    chunks: ['keep', 'drop', 'drop', 'prune', 'summarise', 'summarise'].map(chunk),
  } as unknown as CompactionPlan
  const done = { sessionId: 's1', policy, manual: true }
  expect(await logCompaction(undefined, plan, done)).toEqual([])
  expect(await logCompaction(log, plan, { ...done, rest: { receipt: 'r1' } })).toEqual([])
  expect(lines).toMatchObject([
    [
      'compaction',
      {
        ...{ tokensBefore: 900, tokensAfter: 300, chunksDropped: 2, chunksSummarized: 3 },
        rest: { tokens_before_basis: 'measured', tokens_after_basis: 'estimated', receipt: 'r1' },
      },
    ],
  ])
})
