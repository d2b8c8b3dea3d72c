import { describe, expect, test } from 'vitest'
import { findUnpaired } from '../core/history/pairing'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import type { Policy } from '../core/policy/policy'
import { importantIn } from '../core/summary/enrich'
import { estimateUnits } from '../core/tokens/estimate'
import { retryAfterOverflow } from './compact-context'
import { compactMessages, type LiveCompactionOptions } from './live-compaction'

type Message = { role: string; text: string; calls?: { id: string }[]; resultFor?: string; summary?: true }

const policy: Policy = {
  ...DEFAULT_POLICY,
  compaction: { ...DEFAULT_POLICY.compaction, keepRecentTokens: 2_000 },
  summary: { ...DEFAULT_POLICY.summary, rolling: { ...DEFAULT_POLICY.summary.rolling, enabled: false } },
}

const options = (more: Partial<LiveCompactionOptions<Message>> = {}): LiveCompactionOptions<Message> => ({
  policy,
  window: 32_000,
  form: {
    tokensOf: ({ text }) => estimateUnits(text) + 4,
    toSource: ({ role, text, summary }, index) => ({
      entryId: `m${index}`,
      line: index + 1,
      role: summary
        ? 'summary'
        : role === 'user' || role === 'assistant' || role === 'toolResult'
          ? role
          : 'other',
      text,
      calls: [],
      images: 0,
    }),
    fromText: (text) => ({ role: 'user', text, summary: true }),
    isSummary: ({ summary }) => summary === true,
  },
  fixedTokens: 3_000,
  chain: null,
  focus: null,
  manual: false,
  summary: { sizeOf: estimateUnits, mask: (text) => text, isSecret: () => false },
  ...more,
})

function conversation(turns: number): Message[] {
  return Array.from({ length: turns }, (_, i): Message[] => [
    { role: 'user', text: `Please do step ${i} in src/step${i}.ts. ${'word '.repeat(80)}` },
    { role: 'assistant', text: '', calls: [{ id: `c${i}` }] },
    { role: 'toolResult', text: `result ${i} ${'data '.repeat(200)}`, resultFor: `c${i}` },
    { role: 'assistant', text: `We decided to keep step ${i} because it works.` },
  ]).flat()
}

describe('a conversation in memory', () => {
  test('E4: a summary leads, in the role of the user; what stays is the same, and whole', async () => {
    const messages = conversation(20)
    const done = await compactMessages(messages, options())
    if (done.kind !== 'compacted') throw new Error(done.kind)
    const [summary, ...kept] = done.messages
    expect(summary).toMatchObject({ role: 'user', summary: true })
    expect(summary?.text).toMatch(/^<prior-conversation-summary>\n.*Do not respond to it/)
    expect(kept).toEqual(messages.slice(-kept.length))
    expect(findUnpaired(kept).orphans).toEqual([])
    expect(done.plan.tokensAfter.value).toBeLessThan(done.plan.tokensBefore.value ?? 0)
  })

  test('D18: a fact of the first part survives three compactions', async () => {
    let messages = [
      { role: 'user', text: 'Never touch port 48213 of harbour-gate.example.com.' },
      ...conversation(20),
    ]
    for (let round = 0; round < 3; round++) {
      const done = await compactMessages(messages, options())
      if (done.kind !== 'compacted') throw new Error(done.kind)
      messages = [...done.messages, ...conversation(20)]
    }
    expect(messages[0]?.text).toContain('Never touch port 48213')
  })

  test('H7: what the user marked as important stays word for word, over three compactions', async () => {
    const rule = '#important: berth 9 belongs to the pilot.'
    let messages: readonly Message[] = [{ role: 'user', text: rule }]
    for (let round = 0; round < 3; round++) {
      const turns = Array.from({ length: 30 }, (_, i): Message[] => [
        { role: 'user', text: `Please do step ${round}.${i}. ${'word '.repeat(200)}` },
        { role: 'assistant', text: `[important] done ${i}. ${'word '.repeat(200)}` },
      ])
      const done = await compactMessages([...messages, ...turns.flat()], options())
      if (done.kind !== 'compacted') throw new Error(done.kind)
      expect(done.plan.warnings.some(({ code }) => code === 'pinned')).toBe(round === 0)
      messages = done.messages
      expect(importantIn(messages[0]?.text ?? '')).toEqual([rule])
    }
  })

  test('D28: twice in a row is nothing', async () => {
    const once = await compactMessages(conversation(20), options())
    expect(await compactMessages(once.messages, options())).toMatchObject({ kind: 'nothing' })
  })
})

describe('an overflow', () => {
  const WINDOW = 200_000

  test.each([
    [
      'pi, as a failed message',
      { stopReason: 'error', errorMessage: 'prompt is too long: 213462 tokens', usage: {} },
    ],
    ['pi', { stopReason: 'stop', usage: { input: 1_000, cacheRead: 199_500, cacheWrite: 0, output: 9 } }],
    [
      'Anthropic',
      {
        stop_reason: 'end_turn',
        usage: { input_tokens: 9, cache_read_input_tokens: 200_000, output_tokens: 9 },
      },
    ],
    [
      'Chat',
      { choices: [{ finish_reason: 'length' }], usage: { prompt_tokens: 199_000, completion_tokens: 0 } },
    ],
    [
      'Responses',
      {
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        usage: { input_tokens: 199_900, output_tokens: 0 },
      },
    ],
    ['AI SDK', { finishReason: 'stop', usage: { inputTokens: 200_001, outputTokens: 1 } }],
  ])('D1: that is answered and not thrown is compacted away as well: %s', async (_, silent) => {
    const answers = [
      silent,
      { ...silent, stopReason: 'stop', stop_reason: 'end_turn', usage: {}, choices: [] },
    ]
    const send = async () => answers.shift()
    expect(await retryAfterOverflow(send, async () => true, WINDOW)).toMatchObject({ compactions: 1 })
    // Where nothing can be compacted, what was answered is the answer.
    expect(
      await retryAfterOverflow(
        async () => silent,
        async () => false,
        WINDOW,
      ),
    ).toEqual({
      value: silent,
      compactions: 0,
    })
  })

  test('D1: an answer to a prompt that fits is asked for once', async () => {
    const answer = { stopReason: 'stop', usage: { input: 1_000, cacheRead: 150_000, output: 9 } }
    let compacted = 0
    const compact = async () => {
      compacted += 1
      return true
    }
    for (const value of [
      answer,
      'text',
      null,
      { status: 'completed', usage: { input_tokens: 5, output_tokens: 0 } },
    ])
      expect(await retryAfterOverflow(async () => value, compact, WINDOW)).toEqual({ value, compactions: 0 })
    expect(compacted).toBe(0)
  })

  const overflow = new Error('prompt is too long: 213462 tokens > 200000 maximum')

  test('D2: is compacted away and asked again, once', async () => {
    let asked = 0
    const send = async () => {
      asked += 1
      if (asked === 1) throw overflow
      return 'answer'
    }
    expect(await retryAfterOverflow(send, async () => true, WINDOW)).toEqual({
      value: 'answer',
      compactions: 1,
    })
  })

  test('D2: gives up after two, when nothing could be compacted, and at any other failure', async () => {
    let compactions = 0
    const compact = async () => {
      compactions += 1
      return true
    }
    await expect(retryAfterOverflow(() => Promise.reject(overflow), compact, WINDOW)).rejects.toBe(overflow)
    expect(compactions).toBe(2)
    await expect(
      retryAfterOverflow(
        () => Promise.reject(overflow),
        async () => false,
        WINDOW,
      ),
    ).rejects.toBe(overflow)
    const limit = new Error('429 rate limit: too many tokens per minute')
    await expect(retryAfterOverflow(() => Promise.reject(limit), compact, WINDOW)).rejects.toBe(limit)
    expect(compactions).toBe(2)
  })
})
