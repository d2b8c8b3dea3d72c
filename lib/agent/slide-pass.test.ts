import { describe, expect, it } from 'vitest'
import { injectedSummary } from '../core/compaction/rolling'
import { findUnpaired } from '../core/history/pairing'
import type { ContentMessage } from '../core/history/thinking'
import type { PolicyPatch } from '../core/policy/policy'
import { PRESETS } from '../core/policy/presets'
import { resolvePolicy } from '../core/policy/resolve'
import { WORK_SUMMARY_HEADING } from '../core/summary/work-summary'
import { SummaryChain } from '../engine/summary/summary-chain'
import { livePartsOf } from '../testing/builders/live-parts'
import { contentText, liveAgent, sizeOf } from '../testing/live-conversation'
import { scriptedSummarizer, standingClock } from '../testing/scripted-summarizer'
import type { PassInput } from './live-parts'
import { SlidePass } from './slide-pass'

type Timed = ContentMessage & { readonly timestamp?: number }

const NOW = Date.parse('2026-11-21T10:00:00Z')
const MINUTE = 60_000
const WORK = '## Done\nBerth 4 was cleared.\n\n## Learned\nCrane 2 is down.\n\n## Pending\nNothing.'

const policyWith = (...patches: PolicyPatch[]) =>
  resolvePolicy([
    { level: 'preset', label: 'proactive', patch: PRESETS.proactive },
    ...patches.map((patch, i) => ({ level: 'session' as const, label: `${i}`, patch })),
  ]).policy
const PROACTIVE = policyWith()
/** The line alone, without the count of iterations. */
const BY_LINE = policyWith({ summary: { sliding: { everyIterations: 0 } } })

/** One request and calls with long results, all of them old, and the newest ten messages after them. */
function working(calls: number, words = 400): Timed[] {
  const pair = (i: number, timestamp: number): Timed[] => [
    {
      role: 'assistant',
      calls: [{ id: `c${i}` }],
      content: [{ type: 'toolCall', id: `c${i}`, name: 'read', arguments: { path: `src/dock${i}.ts` } }],
      timestamp,
    },
    { role: 'toolResult', resultFor: `c${i}`, content: `dock ${i} ${'berth '.repeat(words)}`, timestamp },
  ]
  return [
    { role: 'user', content: 'Look at every dock.', timestamp: NOW - 30 * MINUTE },
    ...Array.from({ length: calls }, (_, i) => pair(i, NOW - 10 * MINUTE)).flat(),
    ...Array.from({ length: 5 }, (_, i) => pair(calls + i, NOW - 5_000)).flat(),
  ]
}

const chainOf = (...replies: Parameters<typeof scriptedSummarizer>[1]) => {
  const model = scriptedSummarizer('a/m', replies)
  return { model, chain: new SummaryChain([model], standingClock()) }
}
const total = (messages: readonly ContentMessage[]) =>
  messages.reduce((sum, message) => sum + sizeOf(message), 0)
/** A window in which a conversation fills so much, the margin of what is estimated included. */
const windowFor = (messages: readonly ContentMessage[], share: number) =>
  Math.round((total(messages) * PROACTIVE.counting.safetyMargin) / share)

describe('E7 sliding summaries come when they are due', () => {
  const messages = working(12)
  const run = async (share: number, policy = BY_LINE) => {
    const { chain, model } = chainOf(WORK)
    const { context, held } = liveAgent(messages, policy, { chain, window: windowFor(messages, share) })
    return { done: await context.beforeResponse(), asked: model.asked.length, held }
  }

  it('above 70 % of the window, not below', async () => {
    expect(await run(0.69)).toMatchObject({ done: { steps: [] }, asked: 0 })
    expect(await run(0.71)).toMatchObject({ done: { steps: ['slide'] }, asked: 1 })
  })

  it('strictly above: a measured context of exactly 70 % is left, one token more is not', async () => {
    for (const [tokens, steps] of [
      [70_000, []],
      [70_001, ['slide']],
    ] as const) {
      const { context } = liveAgent(messages, BY_LINE, { window: 100_000, getTokenCount: () => tokens })
      expect((await context.beforeResponse()).steps).toEqual(steps)
    }
  })

  it('where a compaction is due anyway, that says it all', async () => {
    const { done } = await run(0.9)
    expect(done.steps).not.toContain('slide')
  })

  it('after 5 and 10 turns and not before, below every line', async () => {
    const { chain } = chainOf(WORK)
    const { context, held } = liveAgent(working(4), PROACTIVE, { chain, window: 1_000_000 })
    const fired: number[] = []
    for (let turn = 1; turn <= 12; turn++) {
      await context.beforeResponse()
      const before = held.log.length
      await context.afterResponse()
      if (held.log.length > before) fired.push(turn)
      // New work, old enough by the next time.
      if (turn === 7) held.messages = [...held.messages, ...working(6).slice(1)]
    }
    expect(fired).toEqual([5, 10])
    expect(held.log).toEqual(['slide', 'slide'])
  })

  it('J4: within one long turn, after every 5 requests that were answered with calls', async () => {
    const { chain } = chainOf(WORK)
    const { context, held } = liveAgent(working(0), PROACTIVE, { chain, window: 1_000_000 })
    const fired: number[] = []
    for (let request = 0; request <= 14; request++) {
      const { steps } = await context.beforeResponse()
      if (steps.includes('slide')) fired.push(request)
      // Each call took two minutes; its result is old when the next requests are made.
      held.messages = [...working(2).slice(1, 5), ...held.messages]
    }
    expect(fired).toEqual([5, 10])
    expect(held.messages.map(contentText).filter((text) => text.includes('cleared')).length).toBeGreaterThan(
      5,
    )
  })

  it('not at all while it is switched off, nor for what frees less than two summaries', async () => {
    const off = policyWith({ summary: { sliding: { enabled: false } } })
    expect(await run(0.75, off)).toMatchObject({ done: { steps: [] } })
    const { chain, model } = chainOf(WORK)
    const { context } = liveAgent(working(2, 100), PROACTIVE, { chain, window: 1_000_000 })
    for (let turn = 1; turn <= 5; turn++) await context.afterResponse()
    expect(model.asked).toHaveLength(0)
  })
})

describe('E8 sliding summaries replace results of completed work and nothing else', () => {
  const slide = async (
    messages: readonly ContentMessage[],
    reply: Parameters<typeof scriptedSummarizer>[1][number] = WORK,
  ) => {
    const { chain, model } = chainOf(reply)
    const window = windowFor(messages, 0.75)
    const { context, held } = liveAgent(messages, BY_LINE, { chain, window })
    const done = await context.beforeResponse()
    return { done, model, held, context }
  }

  it('what is active, recent or no result stays the same object, in its order, and no pair is broken (J7)', async () => {
    const messages = working(12)
    const { held } = await slide(messages)
    const [summary, ...rest] = held.messages
    expect(contentText(summary as ContentMessage)).toContain('## Completed Work Summary')
    expect(contentText(summary as ContentMessage)).toContain('Crane 2 is down.')
    expect(summary?.role).toBe('user')
    expect(rest).toHaveLength(messages.length)
    rest.forEach((message, at) => {
      const before = messages[at] as ContentMessage
      const isOld = before.role === 'toolResult' && at < messages.length - 10
      if (isOld) expect(message).toEqual({ ...before, content: '[Old tool result content cleared]' })
      else expect(message).toBe(before)
    })
    expect(findUnpaired(held.messages)).toEqual({ orphans: [], unanswered: [] })
  })

  it('a second one extends the first: there is one summary, with what a compaction said before it', async () => {
    const head: ContentMessage = { role: 'user', content: injectedSummary('## Goal\nKeep the harbour log.') }
    const { chain, model } = chainOf(WORK, WORK.replace('Crane 2', 'Crane 7'))
    const messages = [head, ...working(12)]
    const { context, held } = liveAgent(messages, BY_LINE, { chain, window: windowFor(messages, 0.75) })
    await context.beforeResponse()
    held.messages = [...held.messages, ...working(5).slice(1)]
    await context.beforeResponse()
    expect(held.log).toEqual(['slide', 'slide'])
    const summaries = held.messages.filter((message) => contentText(message).includes(WORK_SUMMARY_HEADING))
    expect(summaries).toHaveLength(1)
    const text = contentText(held.messages[0] as ContentMessage)
    expect(text).toContain('Keep the harbour log.')
    expect(text.split(WORK_SUMMARY_HEADING)).toHaveLength(2)
    expect(text).toContain('Crane 7')
    expect(model.asked[1]?.prompt.user).toContain('Crane 2 is down.')
  })

  it('D22 the prompt names tasks, tools and files, asks for three headings, and covers credentials', async () => {
    const messages: Timed[] = working(12)
    const at = NOW - 10 * MINUTE
    const call = (id: string, name: string, args: object): Timed[] => [
      {
        role: 'assistant',
        calls: [{ id }],
        content: [{ type: 'toolCall', id, name, arguments: args }],
        timestamp: at,
      },
      { role: 'toolResult', resultFor: id, content: `ok ${'x '.repeat(200)} token=secret1`, timestamp: at },
    ]
    messages.splice(
      1,
      0,
      ...call('t', 'write', { path: 'docs/log.md', content: 'x' }),
      ...call('u', 'bash', { command: 'ls' }),
    )
    const { chain, model } = chainOf(WORK)
    const { context } = liveAgent(messages, BY_LINE, {
      chain,
      window: windowFor(messages, 0.75),
      secrets: { mask: (text) => text.replaceAll('secret1', '***'), isSecret: () => false },
    })
    await context.beforeResponse()
    const prompt = model.asked[0]?.prompt.user ?? ''
    expect(prompt).toMatch(/## Done[\s\S]*## Learned[\s\S]*## Pending/)
    expect(prompt).toContain('Tools used: write, bash, read')
    expect(prompt).toContain('Files affected: docs/log.md')
    expect(prompt).toContain('Tasks completed: none')
    expect(prompt).not.toContain('secret1')
  })

  it('D21 more than one request holds is first said in short, part by part', async () => {
    const messages = working(160, 2000)
    const { chain, model } = chainOf('In short: berth 4.', 'In short: berth 5.', WORK)
    const { context, held } = liveAgent(messages, BY_LINE, { chain, window: windowFor(messages, 0.75) })
    await context.beforeResponse()
    expect(model.asked.length).toBeGreaterThan(2)
    expect(model.asked[0]?.prompt.user).toMatch(/two to 3 sentences[\s\S]*errors, key findings, paths/)
    expect(model.asked.at(-1)?.prompt.user).toContain('In short: berth 4.')
    expect(contentText(held.messages[0] as ContentMessage)).toContain('Crane 2 is down.')
  })

  it('without a model a digest says what was done', async () => {
    const messages = working(12)
    const { context, held } = liveAgent(messages, BY_LINE, { window: windowFor(messages, 0.75) })
    expect((await context.beforeResponse()).steps).toEqual(['slide'])
    const text = contentText(held.messages[0] as ContentMessage)
    expect(text).toContain(WORK_SUMMARY_HEADING)
    expect(text).toContain('src/dock3.ts')
    expect(total(held.messages)).toBeLessThan(total(messages) * 0.6)
  })

  it('J5 when the summary fails nothing is deleted, and it is said', async () => {
    const messages = working(12)
    const { held, done } = await slide(messages, {})
    expect(held.sets).toBe(0)
    expect(held.messages).toEqual(messages)
    expect(done.steps).toEqual([])
    expect(done.warnings.join()).toMatch(/nothing was pruned\. a\/m is down/)
  })

  it('J5 where the policy asks for no summary first, results go without one', async () => {
    const messages = working(12)
    const policy = policyWith({
      summary: { sliding: { everyIterations: 0 } },
      pruning: { summarizeFirst: false },
    })
    const { context, held } = liveAgent(messages, policy, { window: windowFor(messages, 0.75) })
    expect((await context.beforeResponse()).steps).toEqual(['slide'])
    expect(held.messages).toHaveLength(messages.length)
    expect(held.messages.some((message) => contentText(message).includes(WORK_SUMMARY_HEADING))).toBe(false)
  })

  it('results without a time are as old as they are known, and no older', async () => {
    let now = NOW
    const messages = working(12).map(({ timestamp: _, ...message }): ContentMessage => message)
    const { context, held } = liveAgent(messages, BY_LINE, {
      window: windowFor(messages, 0.75),
      clock: { now: () => now },
    })
    await context.beforeResponse()
    expect(held.log).toEqual([])
    now += 61_000
    await context.beforeResponse()
    expect(held.log).toEqual(['slide'])
  })

  it('a second one has room for what the first said and for as much again, within its limit', async () => {
    const { chain, model } = chainOf(WORK, WORK)
    const messages = working(12)
    const { context, held } = liveAgent(messages, BY_LINE, { chain, window: windowFor(messages, 0.75) })
    await context.beforeResponse()
    held.messages = [...held.messages, ...working(5).slice(1)]
    await context.beforeResponse()
    const { targetTokens, rolling } = BY_LINE.summary
    const [first, second] = model.asked.map(({ maxTokens }) => maxTokens ?? 0)
    expect(first).toBe(targetTokens)
    expect(second).toBeGreaterThan(targetTokens)
    expect(second).toBeLessThanOrEqual(rolling.maxTokens)
  })

  it('a turn that is stopped while the summary is made leaves everything, without a word', async () => {
    const { held, done } = await slide(working(12), { fault: 'aborted' })
    expect(held.sets).toBe(0)
    expect(done.warnings).toEqual([])
  })
})

describe('E7 the part by itself', () => {
  type Moment = PassInput<ContentMessage>['moment']
  const check = { reached: [] as const, decided: 0 } as unknown as PassInput<ContentMessage>['check']
  const inputOf = (
    { parts }: Pick<ReturnType<typeof livePartsOf>, 'parts'>,
    messages: readonly ContentMessage[],
    moment: Moment,
    last = false,
  ): PassInput<ContentMessage> => ({
    ...{ parts, messages, moment, last, check, isEmpty: false, incoming: [], beside: 0, waits: false },
  })

  it('counts the requests of one turn: each once, and from the first of the next turn anew', () => {
    const live = livePartsOf([], PROACTIVE)
    const pass = new SlidePass<ContentMessage>()
    const isDue = (moment: Moment, last = false) => pass.isDue(inputOf(live, [], moment, last))
    const turn = (requests: number) => Array.from({ length: requests }, () => isDue('before')).indexOf(true)
    expect(turn(4)).toBe(-1)
    expect(isDue('after')).toBe(true)
    expect(turn(5)).toBe(-1)
    expect(isDue('before', true)).toBe(false)
    expect(turn(1)).toBe(0)
  })

  it('does nothing after a turn where no count is asked for, and not before the first turn', async () => {
    const messages = working(12)
    const uncounted = inputOf(livePartsOf(messages, BY_LINE), messages, 'after')
    expect(new SlidePass<ContentMessage>().isDue(uncounted)).toBe(false)
    const live = livePartsOf(messages, PROACTIVE)
    const run = () => new SlidePass<ContentMessage>().run(inputOf(live, messages, 'after'))
    expect((await run()).messages).toBeNull()
    await live.parts.state.update((state) => ({ ...state, turns: 5 }))
    expect((await run()).messages).not.toBeNull()
  })

  const summaries = (targetTokens: number, summarizeFirst = true) =>
    policyWith({ summary: { sliding: { everyIterations: 0 }, targetTokens }, pruning: { summarizeFirst } })
  const slid = async (policy: typeof PROACTIVE, summaryTokens = 0) => {
    const messages = working(12)
    const isSummary = (message: ContentMessage) => contentText(message).includes(WORK_SUMMARY_HEADING)
    const tokensOf = (message: ContentMessage) => (isSummary(message) ? summaryTokens : sizeOf(message))
    const live = livePartsOf(messages, policy, { tokensOf })
    return (await new SlidePass<ContentMessage>().run(inputOf(live, messages, 'before'))).messages
  }

  it('is worth more than two summaries, and no summary that takes all that is freed', async () => {
    const freed = total(working(12)) - total((await slid(summaries(1, false))) ?? [])
    expect(freed % 2).toBe(0)
    expect(await slid(summaries(freed / 2))).toBeNull()
    expect(await slid(summaries(freed / 2 - 1))).not.toBeNull()
    expect(await slid(summaries(100), freed)).toBeNull()
    expect(await slid(summaries(100), freed - 1)).not.toBeNull()
  })
})
