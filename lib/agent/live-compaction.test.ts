import { describe, expect, test } from 'vitest'
import { findUnpaired } from '../core/history/pairing'
import type { Policy } from '../core/policy/policy'
import { importantIn } from '../core/summary/enrich'
import { estimateUnits } from '../core/tokens/estimate'
import { SummaryChain } from '../engine/summary/summary-chain'
import {
  textTurns as conversation,
  type TextMessage as Message,
  textOptions as options,
  TEXT_POLICY as policy,
} from '../testing/builders/text-conversation'
import { scriptedSummarizer, standingClock } from '../testing/scripted-summarizer'
import { retryAfterOverflow } from './compact-context'
import { compactMessages, fittingPolicy, type LiveCompactionOptions, planMessages } from './live-compaction'

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

  test('E4: what the user asked last, and what was marked, is in a summary that takes its place', async () => {
    const marked = { role: 'user', text: 'IMPORTANT: never touch berth 9.' }
    const asked = { role: 'user', text: 'Which berth has the tallest crane of the harbour?' }
    const working = conversation(12).filter(({ role }) => role !== 'user')
    const done = await compactMessages([marked, asked, ...working], options())
    if (done.kind !== 'compacted') throw new Error(done.kind)
    expect(done.summary.text).toContain(asked.text)
    expect(importantIn(done.summary.text).join()).toContain('never touch berth 9')
  })

  test('E4: a model may answer twice as much as is planned for its summary', async () => {
    const model = scriptedSummarizer('a/m', ['no'])
    const asked = options({ chain: new SummaryChain([model], standingClock()) })
    const plan = planMessages(conversation(20), asked)
    if (plan.kind === 'nothing') throw new Error(plan.why)
    await compactMessages(conversation(20), asked)
    expect(plan.summary.tokens * 2).toBeLessThan(asked.window / 4)
    expect(Math.max(...model.asked.map(({ maxTokens }) => maxTokens))).toBe(plan.summary.tokens * 2)
  })

  test('E4: a result that came late is not kept without its call, however much is kept', async () => {
    const [call, ask, result] = [
      { role: 'assistant', text: '', calls: [{ id: 'late' }] },
      { role: 'user', text: `Meanwhile: ${'word '.repeat(300)}` },
      { role: 'toolResult', text: 'At last.', resultFor: 'late' },
    ]
    const messages: Message[] = [...conversation(8), call, ask, result, { role: 'assistant', text: 'Done.' }]
    for (let keepRecentTokens = 100; keepRecentTokens <= 900; keepRecentTokens += 100) {
      const keeping = { ...policy, compaction: { ...policy.compaction, keepRecentTokens } }
      const done = await compactMessages(messages, options({ policy: keeping }))
      expect(findUnpaired(done.messages).orphans).toEqual([])
    }
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

describe('the plan for a conversation in memory', () => {
  const sizeOf = ({ text }: Message) => estimateUnits(text) + 4
  const planOf = (messages: readonly Message[], more: Partial<LiveCompactionOptions<Message>> = {}) => {
    const plan = planMessages(messages, options(more))
    if (plan.kind !== 'plan') throw new Error(plan.why)
    return plan
  }

  test('says what the context holds by kind, with what is before it', () => {
    const [ask, call, result, answer] = conversation(1) as [Message, Message, Message, Message]
    const made: Message = { role: 'user', text: 'In short: all is well.', summary: true }
    const other: Message = { role: 'note', text: 'A tide came in.' }
    const branch: Message = { role: 'branchSummary', text: 'A branch.' }
    const { before, tokensBefore } = planOf([
      made,
      other,
      branch,
      ask,
      call,
      result,
      answer,
      ...conversation(20),
    ])
    const count = (index: number) =>
      conversation(21).reduce((sum, one, i) => sum + (i % 4 === index ? sizeOf(one) : 0), 0)
    const first = (index: number) =>
      sizeOf(conversation(1)[index] as Message) - sizeOf(conversation(21)[80 + index] as Message)
    expect(before).toMatchObject({
      'system-prompt': 3_000,
      summary: sizeOf(made) + sizeOf(branch),
      other: sizeOf(other),
      user: count(0) + first(0),
      'tool-call': count(1) + first(1),
      'tool-result': count(2) + first(2),
      assistant: count(3) + first(3),
    })
    const held = Object.values(before).reduce((sum, tokens) => sum + tokens, 0)
    expect(tokensBefore).toEqual({ value: held, basis: 'estimated', errorPct: 15 })
  })

  test('an empty list of calls is none', () => {
    const said: Message = { role: 'assistant', text: 'Well.', calls: [] }
    const { before } = planOf([said, ...conversation(20)])
    expect(before.assistant).toBe(
      sizeOf(said) + conversation(20).reduce((sum, one, i) => sum + (i % 4 === 3 ? sizeOf(one) : 0), 0),
    )
  })

  test('counts with a summary of a tenth, of 256 tokens at least, and of what a policy allows at most', () => {
    const short = planOf([{ role: 'user', text: 'Please do it.' }, ...conversation(4)], {
      policy: { ...policy, compaction: { ...policy.compaction, keepRecentTokens: 100 } },
    })
    expect(short.summary.tokens).toBe(256)
    const long = planOf(conversation(40))
    const gone = long.chunks.length
    expect(gone).toBeGreaterThan(0)
    expect(long.summary.tokens).toBeGreaterThan(1_000)
    expect(long.summary.tokens).toBeLessThan(conversation(40).reduce((sum, one) => sum + sizeOf(one), 0) / 10)
    const rolling = { ...policy.summary.rolling, maxTokens: 300 }
    const capped = planOf(conversation(40), {
      policy: { ...policy, summary: { ...policy.summary, rolling } },
    })
    expect(capped.summary.tokens).toBe(300)
  })

  test('is made once for the same list and the same question', () => {
    const messages = conversation(20)
    const asked = options()
    const plan = planMessages(messages, asked)
    expect(planMessages(messages, { ...asked })).toBe(plan)
    expect(planMessages(messages, { ...asked, covering: null })).toBe(plan)
    for (const more of [{ window: 33_000 }, { fixedTokens: 9 }, { manual: true }, { policy: { ...policy } }])
      expect(planMessages(messages, { ...asked, ...more })).not.toBe(plan)
    expect(planMessages([...messages], asked)).not.toBe(plan)
  })

  test('takes a checkpoint where it covers enough, and says what came after it besides', async () => {
    const messages = conversation(20)
    const covering = (uptoSeq: number) => ({
      id: 'k',
      at: 0,
      text: 'CHECKPOINT: all steps are kept.',
      uptoSeq,
      tokens: 9,
    })
    const far = options({ covering: covering(60) as never })
    expect(planMessages(messages, far)).toMatchObject({ summary: { source: 'checkpoint' } })
    const done = await compactMessages(messages, far)
    if (done.kind !== 'compacted') throw new Error(done.kind)
    expect(done.messages[0]?.text).toContain('CHECKPOINT: all steps are kept.')
    const near = options({ covering: covering(3) as never })
    expect(planMessages(messages, near)).toMatchObject({ summary: { source: 'digest' } })
    const digested = await compactMessages(messages, near)
    if (digested.kind !== 'compacted') throw new Error(digested.kind)
    expect(digested.messages[0]?.text).not.toContain('CHECKPOINT')
  })
})

test('what no summary may see is in none, what was asked last included', async () => {
  const given = options()
  const hidden: typeof given = {
    ...given,
    form: {
      ...given.form,
      toSource: (message, index) => (message.role === 'user' ? null : given.form.toSource(message, index)),
    },
  }
  // One turn that is longer than what stays: what was asked is summarised.
  const [ask, ...work] = conversation(1)
  const long = Array.from({ length: 20 }, () => work).flat()
  const done = await compactMessages(
    [...conversation(4), ...(ask === undefined ? [] : [ask]), ...long],
    hidden,
  )
  if (done.kind !== 'compacted') throw new Error(done.kind)
  expect(done.messages[0]?.text).not.toContain('Please do step')
})

describe('a policy that makes a conversation fit', () => {
  const tokens = (messages: readonly Message[]) =>
    messages.reduce((sum, { text }) => sum + estimateUnits(text) + 4, 0)
  const rolling = { ...policy.summary.rolling, windowTurns: 8, maxTokens: 2_222 }
  const greedy: Policy = {
    ...policy,
    compaction: { ...policy.compaction, keepRecentTokens: 6_000 },
    summary: { ...policy.summary, rolling },
  }

  test('is the very one where it fits', () => {
    const messages = conversation(20)
    expect(fittingPolicy(messages, options({ policy: greedy }), 30_000)).toBe(greedy)
    const few = conversation(2)
    expect(fittingPolicy(few, options({ policy: greedy }), tokens(few))).toBe(greedy)
    expect(fittingPolicy([], options({ policy: greedy }), -1)).toBe(greedy)
  })

  test('keeps less where all is kept, and that is too much', () => {
    const few = conversation(2)
    const { compaction } = fittingPolicy(few, options({ policy: greedy }), tokens(few) - 1)
    expect(compaction.keepRecentTokens).toBeLessThan(greedy.compaction.keepRecentTokens)
  })

  test('keeps half as much each time, nothing below 256 tokens, and all else as it is', () => {
    const messages = conversation(20)
    const kept = (room: number) => {
      const { compaction, summary } = fittingPolicy(messages, options({ policy: greedy }), room)
      expect(summary.rolling).toEqual({ ...rolling, windowTurns: summary.rolling.windowTurns })
      expect(compaction).toEqual({ ...greedy.compaction, keepRecentTokens: compaction.keepRecentTokens })
      return [compaction.keepRecentTokens, summary.rolling.windowTurns]
    }
    const [half, turns] = kept(4_500)
    expect([half, turns]).toEqual([3_000, 4])
    expect(kept(0)).toEqual([0, 0])
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
