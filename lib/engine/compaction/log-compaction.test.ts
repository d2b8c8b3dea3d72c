import { describe, expect, test } from 'vitest'
import type { LogEntry } from '../../core/logs/log-fields'
import type { LogKind } from '../../core/logs/log-kinds'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import type { Policy } from '../../core/policy/policy'
import { liveAgent, turnsOf } from '../../testing/live-conversation'
import type { ContextLog } from '../logs/log-ports'

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
