import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UNKNOWN_TOOL } from '../core/budget/tool-results'
import { findUnpaired } from '../core/history/pairing'
import type { ContentMessage } from '../core/history/thinking'
import type { PolicyPatch } from '../core/policy/policy'
import { PRESETS } from '../core/policy/presets'
import { resolvePolicy } from '../core/policy/resolve'
import { WORK_SUMMARY_HEADING } from '../core/summary/work-summary'
import { transientCold } from '../engine/cold/transient-cold'
import { SummaryChain } from '../engine/summary/summary-chain'
import { contentText, liveAgent, sizeOf } from '../testing/live-conversation'
import { runs } from '../testing/runs'
import { scriptedSummarizer, standingClock } from '../testing/scripted-summarizer'
import { CONTENT_FORM } from './content-form'
import { ContextManager } from './context-manager'

type Timed = ContentMessage & { readonly timestamp: number }

const NOW = Date.parse('2026-11-21T10:00:00Z')
const OLD = NOW - 600_000

const policyWith = (...patches: PolicyPatch[]) =>
  resolvePolicy([
    { level: 'preset', label: 'proactive', patch: PRESETS.proactive },
    ...patches.map((patch, i) => ({ level: 'session' as const, label: `${i}`, patch })),
  ]).policy
const PLAIN = policyWith({ pruning: { summarizeFirst: false, keepLastMessages: 2 } })

const pair = (i: number, words: number, tool = 'read', timestamp = OLD): Timed[] => [
  {
    role: 'assistant',
    calls: [{ id: `c${i}` }],
    content: [{ type: 'toolCall', id: `c${i}`, name: tool, arguments: { path: `src/dock${i}.ts` } }],
    timestamp,
  },
  { role: 'toolResult', resultFor: `c${i}`, content: `dock ${i} ${'berth '.repeat(words)}`, timestamp },
]
const working = (calls: number, words = 400): Timed[] => [
  { role: 'user', content: 'Look at every dock.', timestamp: OLD },
  ...Array.from({ length: calls }, (_, i) => pair(i, words)).flat(),
]
const total = (messages: readonly ContentMessage[]) =>
  messages.reduce((sum, message) => sum + sizeOf(message), 0)
/** A window in which so many tokens are free beside a conversation; 30 % are kept for answer and results. */
const windowWith = (messages: readonly ContentMessage[], free: number) => {
  let window = Math.ceil((total(messages) + free) / 0.7)
  const left = () => window - Math.floor(window * 0.2) - Math.floor(window * 0.1) - total(messages)
  while (left() < free) window += 1
  while (left() > free) window -= 1
  return window
}
const coming = (words: number): ContentMessage => ({ role: 'user', content: 'crane '.repeat(words) })

describe('A14 room that is reserved', () => {
  it('a message fits up to window − used − reserved, to the token', async () => {
    const messages = working(3)
    const message = coming(100)
    const fits = async (free: number) => {
      const { context, held } = liveAgent(messages, PLAIN, { window: windowWith(messages, free) })
      const answer = await context.canAdd(message)
      expect(held.sets).toBe(0)
      return answer
    }
    expect(await fits(sizeOf(message))).toBe(true)
    expect(await fits(sizeOf(message) - 1)).toBe(false)
  })
})

describe('A15 adding with room made', () => {
  it('what fits is added, and nothing is cleared', async () => {
    const messages = working(3)
    const { context, held } = liveAgent(messages, PLAIN, { window: windowWith(messages, 2000) })
    const message = coming(100)
    expect(await context.addWithRoom(message)).toMatchObject({ added: true, freed: 0, cleared: 0 })
    expect(held.messages).toEqual([...messages, message])
    expect(context.tokens).toBe(total(held.messages))
    // Nothing would have to be freed for the message, and yet something for a summary.
    const summarising = policyWith({ pruning: { keepLastMessages: 2 } })
    const exact = liveAgent(messages, summarising, { window: windowWith(messages, sizeOf(message)) })
    expect(await exact.context.addWithRoom(message), 'to the token').toMatchObject({ freed: 0, cleared: 0 })
  })

  it('a result that frees as much as is lacking goes alone, to the token; one that frees nothing stays', async () => {
    const messages = [working(0)[0] as Timed, ...pair(0, 0), ...working(3).slice(1)]
    const message = coming(600)
    const adding = async (free: number) => {
      const { context, held } = liveAgent(messages, PLAIN, { window: windowWith(messages, free) })
      const done = await context.addWithRoom(message)
      expect(contentText(held.messages[2] as Timed)).toBe('dock 0 ')
      return done.added ? done : { cleared: -1, freed: -1 }
    }
    const { freed } = await adding(sizeOf(message) - 1)
    expect(freed).toBeGreaterThan(1)
    expect(await adding(sizeOf(message) - freed)).toMatchObject({ cleared: 1, freed })
    expect(await adding(sizeOf(message) - freed - 1)).toMatchObject({ cleared: 2 })
  })

  it('results of a form that has no way to write a text stay, and free nothing', async () => {
    const said = 'berth '.repeat(4_000)
    const messages: ContentMessage[] = [
      { role: 'user', content: 'Look at every dock.' },
      { role: 'assistant', content: '', calls: [{ id: 'c' }] },
      { role: 'toolResult', resultFor: 'c', ...{ said } },
      { role: 'assistant', content: 'Well.' },
      { role: 'user', content: 'And now?' },
    ]
    const { withText: _, ...form } = CONTENT_FORM
    const held = { messages: messages as readonly ContentMessage[] }
    const context = new ContextManager<ContentMessage>({
      ...{ policy: PLAIN, window: 16_000, key: null, promptCache: null },
      tokensOf: (message) => ('said' in message ? 4_000 : sizeOf(message)),
      agent: {
        ...{ session: 's', clock: { now: () => NOW }, getContext: () => held.messages },
        setContext: (next) => {
          held.messages = next
        },
        form: {
          ...form,
          hasBlocks: false,
          toSource: (message, at) =>
            form.toSource('said' in message ? { ...message, content: said } : message, at),
        },
      },
    })
    const done = await context.addWithRoom(coming(9_000))
    expect(done).toMatchObject({ added: false, why: expect.stringContaining('do not free the rest') })
    expect(held.messages).toBe(messages)
  })

  it.each([
    ['as it is', 2000],
    ['after room was made', 10],
  ])('an agent that does not take the message %s has not got it, and says why', async (_how, free) => {
    const messages = working(6)
    const { context, held } = liveAgent(messages, PLAIN, {
      window: windowWith(messages, free),
      setContext: () => {
        throw new Error('The quay is closed.')
      },
    })
    const done = await context.addWithRoom(coming(600))
    expect(done).toMatchObject({ added: false, why: expect.stringContaining('The quay is closed.') })
    expect(held.messages).toEqual(messages)
  })

  it.each([
    ['grew', (held: readonly ContentMessage[]) => [...held, coming(1)]],
    ['was replaced', () => [coming(1)]],
  ])('A15 a conversation that %s while copies were stored is left as it is', async (_how, change) => {
    const messages = working(6)
    const cold = transientCold()
    const policy = policyWith({
      pruning: { keepLastMessages: 2, summarizeFirst: false },
      coldStorage: { enabled: true },
    })
    const agent = liveAgent(messages, policy, {
      window: windowWith(messages, 10),
      cold: {
        ...cold,
        put: async (records) => {
          agent.held.messages = change(agent.held.messages)
          return cold.put(records)
        },
      },
    })
    expect(await agent.context.addWithRoom(coming(600))).toMatchObject({
      added: false,
      why: expect.stringContaining('was changed while room was made'),
    })
    expect(agent.held.messages).toEqual(change(messages))
    expect(agent.held.sets).toBe(0)
  })

  it('J6 what does not fit lets the oldest results go, as few as are needed', async () => {
    const messages = working(6)
    const message = coming(600)
    const { context, held } = liveAgent(messages, PLAIN, { window: windowWith(messages, 10) })
    const done = await context.addWithRoom(message)
    expect(done).toMatchObject({ added: true, cleared: 2 })
    const cleared = held.messages.flatMap((one, at) => (contentText(one).includes('cleared]') ? at : []))
    expect(cleared).toEqual([2, 4])
    expect(held.messages.at(-1)).toBe(message)
    expect(findUnpaired(held.messages)).toEqual({ orphans: [], unanswered: [] })
    expect(total(messages) + sizeOf(message) - total(held.messages)).toBe(done.added ? done.freed : -1)
  })

  it('where all that may go are not enough, nothing has changed', async () => {
    const messages = working(6)
    const { context, held } = liveAgent(messages, PLAIN, { window: windowWith(messages, 10) })
    const done = await context.addWithRoom(coming(9000))
    expect(done).toMatchObject({ added: false, notes: [] })
    expect(done.added ? '' : done.why).toMatch(/takes \d+ tokens and 10 are free/)
    expect(held.sets).toBe(0)
  })

  it('what rules protect does not go for it: the newest, errors, young results', async () => {
    const young = { ...PLAIN, pruning: { ...PLAIN.pruning, toolResultsAfterMs: 60_000 } }
    const messages = [working(0)[0] as Timed, ...pair(1, 800, 'read', NOW - 1000), ...pair(2, 10)]
    const { context, held } = liveAgent(messages, young, { window: windowWith(messages, 10) })
    expect(await context.addWithRoom(coming(500))).toMatchObject({ added: false })
    expect(held.sets).toBe(0)
  })

  it('J5 D21 what is cleared is summarised first, in a few sentences at the head of the context', async () => {
    const model = scriptedSummarizer('a/m', ['Berth 4 is free; src/dock1.ts failed with E42.'])
    const chain = new SummaryChain([model], standingClock())
    const policy = policyWith({ pruning: { keepLastMessages: 2 } })
    const messages = working(8)
    const { context, held } = liveAgent(messages, policy, { window: windowWith(messages, 10), chain })
    const done = await context.addWithRoom(coming(600))
    // Two results would be room enough for the message; a third one goes for the summary.
    expect(done).toMatchObject({ added: true, cleared: 3 })
    const prompt = model.asked[0]?.prompt.user ?? ''
    expect(prompt).toMatch(/two to 3 sentences/)
    expect(prompt).toMatch(/errors, key findings, paths of files[\s\S]*values/)
    expect(prompt).toContain('dock 0')
    expect(model.asked[0]?.maxTokens).toBe(policy.summary.targetTokens)
    const head = contentText(held.messages[0] as ContentMessage)
    expect(head).toContain(WORK_SUMMARY_HEADING)
    expect(head).toContain('E42')
    const again = await context.addWithRoom(coming(600))
    expect(again).toMatchObject({ added: true })
    expect(held.messages.filter((one) => contentText(one).includes(WORK_SUMMARY_HEADING))).toHaveLength(1)
  })

  it('D21 what is cleared later is added to what was said of results before', async () => {
    const model = scriptedSummarizer('a/m', ['First: E42.', 'Second: E43.'])
    const chain = new SummaryChain([model], standingClock())
    const policy = policyWith({ pruning: { keepLastMessages: 2 }, summary: { targetTokens: 100 } })
    const messages = working(8)
    const { context, held } = liveAgent(messages, policy, { window: windowWith(messages, 10), chain })
    expect(await context.addWithRoom(coming(400))).toMatchObject({ added: true })
    const done = await context.addWithRoom(coming(400))
    const head = contentText(held.messages[0] as ContentMessage)
    expect(head).toContain('First: E42.\n\nSecond: E43.')
    expect(done).toMatchObject({
      added: true,
      summary: expect.stringContaining('First: E42.\n\nSecond: E43.'),
    })
    expect(model.asked[1]?.prompt.user).not.toContain('E42')
  })

  it('A15 what comes in while a model sums up takes room as well', async () => {
    const messages = working(4)
    const message = coming(300)
    const added = async (words: number) => {
      const said = { role: 'user', content: 'wait '.repeat(words) } as const
      const model = {
        name: 'a/m',
        summarize: async () => {
          agent.held.messages = [...agent.held.messages, said]
          return { ok: true, text: 'Berth 4 is free.', usage: { input: 1, output: 1 } } as const
        },
      }
      const policy = policyWith({ pruning: { keepLastMessages: 2 }, summary: { targetTokens: 100 } })
      const chain = new SummaryChain([model], standingClock())
      const agent = liveAgent(messages, policy, { window: windowWith(messages, 10), chain })
      const done = await agent.context.addWithRoom(message)
      expect(agent.held.sets).toBe(done.added ? 1 : 0)
      return done.added || done.why
    }
    expect(await added(20)).toBe(true)
    expect(await added(900)).toContain('leaves too little room')
  })

  it('a summary that is longer than it counts is refused, and nothing has changed', async () => {
    const chain = new SummaryChain([scriptedSummarizer('a/m', ['berth '.repeat(5000)])], standingClock())
    const policy = policyWith({ pruning: { keepLastMessages: 2 } })
    const messages = working(8)
    const window = windowWith(messages, 10)
    const { held } = liveAgent(messages, policy, { window })
    const context = new ContextManager<ContentMessage>({
      policy,
      window,
      key: null,
      tokensOf: sizeOf,
      // Whoever plugs in a counter that knows no lengths cannot cut a summary to its limit.
      countText: () => 1,
      promptCache: null,
      agent: {
        session: 's',
        form: CONTENT_FORM,
        clock: { now: () => NOW },
        chain,
        getContext: () => held.messages,
        setContext: (next) => {
          held.messages = next
          held.sets += 1
        },
      },
    })
    const done = await context.addWithRoom(coming(600))
    expect(done).toMatchObject({ added: false, why: expect.stringContaining('leaves too little room') })
    expect(held.sets).toBe(0)
  })

  it('A15 what comes in while a model sums up stays; a conversation that was replaced is left alone', async () => {
    for (const replaced of [false, true]) {
      const messages = working(4)
      const said = { role: 'user', content: 'Wait!' } as const
      const model = {
        name: 'a/m',
        summarize: async () => {
          agent.held.messages = replaced ? [said] : [...agent.held.messages, said]
          return { ok: true, text: 'Berth 4 is free.', usage: { input: 1, output: 1 } } as const
        },
      }
      const chain = new SummaryChain([model], standingClock())
      const policy = policyWith({ pruning: { keepLastMessages: 2 }, summary: { targetTokens: 100 } })
      const agent = liveAgent(messages, policy, { window: windowWith(messages, 100), chain })
      const message = coming(600)
      expect(await agent.context.addWithRoom(message)).toMatchObject({ added: !replaced })
      expect(agent.held.messages.slice(replaced ? 0 : -2)).toEqual(replaced ? [said] : [said, message])
    }
  })

  it('J5 when the summary fails nothing is deleted and nothing is added', async () => {
    const chain = new SummaryChain([scriptedSummarizer('a/m', [{}])], standingClock())
    const policy = policyWith({ pruning: { keepLastMessages: 2 } })
    const messages = working(8)
    const { context, held } = liveAgent(messages, policy, { window: windowWith(messages, 10), chain })
    expect(await context.addWithRoom(coming(600))).toMatchObject({
      added: false,
      notes: ['a/m is down.'],
    })
    expect(held.messages).toEqual(messages)
    expect(held.sets).toBe(0)
  })

  it('never frees less than it says, never fills what is reserved, and changes nothing when it refuses', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 900 }), { maxLength: 12 }),
        fc.integer({ min: 1, max: 3000 }),
        fc.integer({ min: 0, max: 400 }),
        fc.boolean(),
        async (sizes, words, free, summarizeFirst) => {
          const messages = [working(0)[0] as Timed, ...sizes.flatMap((size, i) => pair(i, size))]
          const policy = policyWith({ pruning: { summarizeFirst, keepLastMessages: 3 } })
          const window = windowWith(messages, free)
          const { context, held } = liveAgent(messages, policy, { window })
          const message = coming(words)
          const fits = await context.canAdd(message)
          const done = await context.addWithRoom(message)
          expect(findUnpaired(held.messages)).toEqual({ orphans: [], unanswered: [] })
          if (!done.added) {
            expect(fits).toBe(false)
            expect(held.messages).toEqual(messages)
            return
          }
          expect(total(messages) + sizeOf(message) - total(held.messages)).toBeGreaterThanOrEqual(done.freed)
          const reserved = Math.floor(window * 0.2) + Math.floor(window * 0.1)
          expect(total(held.messages)).toBeLessThanOrEqual(window - reserved)
        },
      ),
      runs(25),
    )
  })
})

describe('B8 tool results are tracked', () => {
  it('by no tool where nothing names one, and not where a message may not be read', async () => {
    const secret = { role: 'toolResult', content: 'sealed', resultFor: 'x' }
    const messages = [...working(1), secret, { role: 'toolResult', content: 'loose' }]
    const { context } = liveAgent(messages, PLAIN, {
      form: {
        ...CONTENT_FORM,
        toSource: (message, at) => (message.content === 'sealed' ? null : CONTENT_FORM.toSource(message, at)),
      },
    })
    const { byTool } = await context.toolResults()
    expect(byTool.map(({ tool, results }) => [tool, results])).toEqual([
      ['read', 1],
      [UNKNOWN_TOOL, 1],
    ])
  })

  it('by tool, the largest first, named by their calls, and less once some are cleared', async () => {
    const messages = [
      working(0)[0] as Timed,
      ...pair(1, 500, 'bash'),
      ...pair(2, 900),
      ...pair(3, 100, 'bash'),
    ]
    const { context, held } = liveAgent(messages, PLAIN, { window: windowWith(messages, 10) })
    const sizes = [2, 4, 6].map((at) => sizeOf(messages[at] as Timed))
    const [first = 0, second = 0, third = 0] = sizes
    expect(await context.toolResults()).toEqual({
      tokens: first + second + third,
      results: 3,
      byTool: [
        { tool: 'read', results: 1, tokens: second },
        { tool: 'bash', results: 2, tokens: first + third },
      ],
    })
    await context.addWithRoom(coming(300))
    const after = await context.toolResults()
    expect(after.results).toBe(3)
    expect(after.tokens).toBe(first + second + third - (total(messages) - total(held.messages.slice(0, -1))))
  })
})
