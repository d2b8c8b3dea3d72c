import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { factTokens, messagesOfContext } from '../../testing/builders/messages-of-context'
import { factsOf, TranscriptBuilder } from '../../testing/builders/transcript'
import { CORPUS, transcriptFiles } from '../../testing/corpus'
import { DEFAULT_POLICY } from '../policy/default-policy'
import { factorFor, perMessage, startCalibration } from '../tokens/calibration'
import { Branches } from '../transcript/branches'
import { contextAt } from '../transcript/context'
import type { EntryFact } from '../transcript/entry'
import { limitHistory } from './limit-history'
import { findUnpaired } from './pairing'

const calibration = startCalibration('anthropic', 'claude-sonnet-4-5')

function messagesAt(facts: readonly EntryFact[]): EntryFact[] {
  const branches = Branches.of(facts)
  return messagesOfContext(contextAt(branches, branches.leaf, 'openclaw'))
}

function limit(messages: readonly EntryFact[], maxTurns: number | null, budget: number | null) {
  const history = { ...DEFAULT_POLICY.history, maxTurns }
  return limitHistory(messages, { history, key: null, budget, tokensOf: factTokens(calibration, false) })
}

describe('messages of a transcript', () => {
  it('C9 without a limit nothing is missing after the last compaction, and nothing from before it comes back', () => {
    const t = new TranscriptBuilder()
    t.user('one')
    t.assistant('one done', { calls: ['a'] })
    t.result('a', 'old result')
    const kept = t.user('two')
    const after = [kept, t.assistant('two done', { calls: ['b'] }), t.result('b', 'result')]
    const record = t.compaction('what went before', kept)
    after.push(t.user('three'), t.assistant('three done'))
    const limited = limit(messagesAt(t.facts()), null, null)
    expect(limited.messages.map((fact) => fact.id)).toEqual([record, ...after])
    expect(limited.messages[0]?.role).toBe('compactionSummary')
  })

  it('C1 C8 a turn limit keeps the summary and starts on a user message', () => {
    const t = new TranscriptBuilder()
    const kept = t.user('one')
    t.assistant('done')
    const record = t.compaction('what went before', kept)
    const last = [t.user('two'), t.assistant('done')]
    expect(limit(messagesAt(t.facts()), 1, null).messages.map((fact) => fact.id)).toEqual([record, ...last])
  })

  it('C6 counts text that the runtime sends inside the message before it', () => {
    const t = new TranscriptBuilder()
    const all = [t.user('one'), t.assistant('done'), t.assistant('and more'), t.user('two')]
    expect(messagesAt(t.facts()).map((fact) => fact.id)).toEqual(all)
  })

  it('C11 thinking is in the transcript and takes no room in what is sent', () => {
    const t = new TranscriptBuilder()
    const thinking = { type: 'thinking', thinking: 'x'.repeat(4000) }
    t.user('one')
    t.message({ role: 'assistant', content: [thinking, { type: 'text', text: 'done' }] })
    t.message({
      role: 'assistant',
      content: [thinking, { type: 'text', text: 'x'.repeat(4000) }],
      usage: { input: 10, output: 2000, cacheRead: 0, cacheWrite: 0 },
    })
    const [, estimated, reported] = t.facts().slice(1)
    if (estimated === undefined || reported === undefined) throw new Error('entries are missing')
    expect(estimated.units?.thinking).toBeGreaterThan(1000)
    const sent = factTokens(calibration, false)
    const whole = factTokens(calibration, true)
    const overhead = perMessage(calibration)
    const thought = (estimated.units?.thinking ?? 0) * factorFor(calibration, 'thinking')
    expect(whole(estimated) - sent(estimated)).toBeCloseTo(thought)
    expect(sent(estimated)).toBeLessThan(overhead + 10)
    // Half of the reported output was thinking.
    expect(sent(reported)).toBeCloseTo(overhead + 1000)
  })
})

describe.skipIf(CORPUS === null)(
  'messages of real transcripts (skipped: no corpus beside the checkout)',
  () => {
    it('C1 C6 C7 C8 no limit orphans a result or loses the newest user message', () => {
      const folder = CORPUS ?? ''
      let files = 0
      for (const file of transcriptFiles(folder)) {
        const facts = factsOf(readFileSync(file, 'utf8'))
        const messages = messagesAt(facts)
        if (messages.length === 0) continue
        files += 1
        const newest = messages.findLast((fact) => fact.role === 'user')
        for (const [turns, budget] of [
          [null, null],
          [1, null],
          [3, null],
          [null, 0],
          [null, 2000],
          [5, 20_000],
        ] as const) {
          const name = `${relative(folder, file)} ${turns} turns, ${budget} tokens`
          const limited = limit(messages, turns, budget)
          expect(findUnpaired(limited.messages).orphans, name).toEqual([])
          if (newest !== undefined) expect(limited.messages, name).toContain(newest)
          if (turns === null && budget === null) expect(limited.messages, name).toEqual(messages)
          if (budget !== null && budget > 0)
            expect((limited.tokens ?? 0) - limited.over, name).toBeLessThanOrEqual(budget)
        }
      }
      expect(files).toBeGreaterThan(3)
    })
  },
)
