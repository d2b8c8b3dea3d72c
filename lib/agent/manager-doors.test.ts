import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSessions } from '../adapters/agent/open-sessions'
import { extentOf } from '../core/history/message-extent'
import type { ContentMessage } from '../core/history/thinking'
import type { MemoryEvent } from '../core/memory/memory-event'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import type { Policy } from '../core/policy/policy'
import { transientMemory } from '../engine/knowledge/agent-memory'
import { QUIET_POLICY } from '../testing/builders/quiet-policy'
import { contentText, liveAgent, sizeOf, turnsOf } from '../testing/live-conversation'
import { temporaryFolder } from '../testing/store-folder'
import { CONTENT_FORM } from './content-form'
import { ContextManager } from './context-manager'
import { Conversation } from './conversation'

const ASK: ContentMessage = { role: 'user', content: 'Which berth is free?' }
const PARTS = { identity: 'You keep the harbour log.' }
const sum = (messages: readonly ContentMessage[]) =>
  messages.reduce((tokens, message) => tokens + sizeOf(message), 0)

/** Only what a test asks for happens. */
const quiet: Policy = {
  ...QUIET_POLICY,
  summary: {
    ...DEFAULT_POLICY.summary,
    rolling: { ...DEFAULT_POLICY.summary.rolling, enabled: false },
    sliding: { ...DEFAULT_POLICY.summary.sliding, enabled: false },
  },
}

describe('a manager without an agent', () => {
  const bare = () =>
    new ContextManager<ContentMessage>({
      policy: quiet,
      window: 32_000,
      key: null,
      tokensOf: sizeOf,
      promptCache: null,
    })

  it.each<[string, (context: ContextManager<ContentMessage>) => Promise<unknown>]>([
    ['canAdd', async (context) => context.canAdd(ASK)],
    ['addWithRoom', async (context) => context.addWithRoom(ASK)],
    ['toolResults', async (context) => context.toolResults()],
    ['beforeResponse', async (context) => context.beforeResponse()],
    ['resume', async (context) => context.resume(true)],
    ['compact', async (context) => context.compact()],
    ['send', async (context) => context.send(async () => 1)],
    ['afterResponse', async (context) => context.afterResponse()],
    ['recover', async (context) => context.recover('x')],
    ['undoRecovery', async (context) => context.undoRecovery('x')],
    ['status', async (context) => context.status()],
    ['sessionEnd', async (context) => context.sessionEnd()],
  ])('changes nothing, and says so: %s', async (_name, call) => {
    await expect(call(bare())).rejects.toMatchObject({
      code: 'NO_AGENT',
      message: expect.stringContaining('give it `agent`'),
    })
  })

  it('counts, checks, and puts requests together of what it is given', async () => {
    const context = bare()
    expect([context.tokens, context.add(ASK), context.tokens]).toEqual([0, sizeOf(ASK), sizeOf(ASK)])
    const talk = turnsOf(2)
    expect([context.recount(talk), context.tokens]).toEqual([sum(talk), sum(talk)])
    const { messages, budget, recalled, warnings } = await context.request({
      parts: PARTS,
      history: talk,
      prompt: [ASK],
    })
    expect(messages.map(({ slot }) => slot)).toEqual([...talk.map(() => 'history'), 'prompt'])
    expect([budget, recalled, warnings]).toEqual([null, null, []])
    expect((await context.request({ parts: PARTS, prompt: [ASK] })).messages).toHaveLength(1)
  })
})

describe('an agent without cold storage', () => {
  it('has nothing to bring back and nowhere to keep anything', async () => {
    const { context, held } = liveAgent(turnsOf(2), quiet)
    const refused = {
      kind: 'refused',
      refusal: { code: 'not-supported', message: expect.stringContaining('no cold storage') },
    }
    for (const call of [context.recover('x'), context.undoRecovery('x'), context.sessionEnd()])
      expect(await call).toEqual(refused)
    expect(held.sets).toBe(0)
  })
})

describe('what a manager counts', () => {
  it('is the conversation as it is, after each of its doors', async () => {
    const { context, held } = liveAgent(turnsOf(4), quiet)
    expect(context.tokens).toBe(0)
    await context.beforeResponse([ASK])
    expect(context.tokens).toBe(sum(held.messages))
    held.messages = [...held.messages, ASK]
    await context.afterResponse()
    expect(context.tokens).toBe(sum(held.messages))
    const added = await context.addWithRoom({ role: 'assistant', content: 'Berth 4.' })
    expect(added).toMatchObject({ added: true, freed: 0, cleared: 0, summary: null, notes: [] })
    expect(context.tokens).toBe(sum(held.messages))
    expect(held.messages.at(-1)?.content).toBe('Berth 4.')
  })

  it('what is refused is not counted', async () => {
    const { context, held } = liveAgent([ASK], quiet)
    await context.beforeResponse()
    const before = context.tokens
    const huge: ContentMessage = { role: 'user', content: 'word '.repeat(40_000) }
    expect(await context.canAdd(huge)).toBe(false)
    expect(await context.addWithRoom(huge)).toMatchObject({ added: false })
    expect(context.tokens).toBe(before)
    expect(held.messages).toHaveLength(1)
    expect(await context.canAdd(ASK)).toBe(true)
  })
})

describe('T3 the end of a turn', () => {
  it('is counted; the provider’s figure represents what is there then, and what comes later is added to it', async () => {
    const { context, held } = liveAgent(turnsOf(3), quiet)
    expect((await context.afterResponse({ usage: { prompt: 9_000, output: 1_000 } })).turns).toBe(1)
    const check = async () => (await context.beforeResponse()).before
    expect((await check()).tokens).toEqual({ value: 10_000, basis: 'measured' })
    held.messages = [...held.messages, ASK]
    const grown = await check()
    expect(grown.tokens).toMatchObject({ value: 10_000 + sizeOf(ASK), basis: 'estimated', errorPct: 1 })
    expect(grown.decided).toBeGreaterThanOrEqual(10_000 + sizeOf(ASK))
    expect((await context.afterResponse({ usage: null })).turns).toBe(2)
    held.messages = held.messages.slice(0, 2)
    expect((await check()).tokens.basis).toBe('estimated')
  })

  it('no checkpoint is written where none is due, and memory was not saved where it was not asked for', async () => {
    const { context } = liveAgent(turnsOf(3), quiet)
    expect(await context.afterResponse()).toEqual({
      turns: 1,
      memorySaved: false,
      checkpoint: null,
      warnings: [],
      drop: null,
    })
  })
})

describe('F7 a separate turn to save memory', () => {
  it('that fails is a warning, and the compaction follows', async () => {
    const flushing: Policy = {
      ...quiet,
      lines: { ...quiet.lines, flush: { ...quiet.lines.flush, enabled: true, at: [0.3] } },
    }
    const asked: string[] = []
    const { context, held } = liveAgent(turnsOf(50), flushing, {
      onFlush: async ({ text }) => {
        asked.push(text)
        throw new Error('the disk is full')
      },
    })
    const done = await context.beforeResponse()
    expect(asked).toHaveLength(1)
    expect(done.warnings).toContain('The memory was not saved: the disk is full')
    expect(done.flush).toBeNull()
    expect(done.steps.slice(0, 2)).toEqual(['flush', 'compact'])
    expect(held.log.slice(0, 2)).toEqual(['flush', 'compact'])
  })
})

describe('C13 a request of an agent', () => {
  it('is made of its conversation, or of the one that is given in its place, with summaries in front', async () => {
    const { context } = liveAgent(turnsOf(2), quiet)
    const own = await context.request({ parts: PARTS, prompt: [ASK] })
    expect(own.messages).toHaveLength(9)
    expect(own.history.messages).toHaveLength(8)
    const given = await context.request({
      parts: PARTS,
      history: turnsOf(1),
      summary: [CONTENT_FORM.fromText('So far.')],
      prompt: [ASK],
    })
    const slots = given.messages.flatMap(({ slot, merged }) => [...(merged ?? []), slot])
    expect(slots).toEqual(expect.arrayContaining(['summary', 'history', 'prompt']))
    expect(JSON.stringify(given.messages)).toContain('So far.')
  })

  it('takes a summary at the beginning of its conversation for one, and no later message', async () => {
    const summary = CONTENT_FORM.fromText(
      '<prior-conversation-summary>\nSo far.\n</prior-conversation-summary>',
    )
    const talk = [summary, ...turnsOf(1)]
    const { context } = liveAgent(talk, quiet)
    const { messages, history } = await context.request({ parts: PARTS, prompt: [ASK] })
    expect(history.messages).toHaveLength(CONTENT_FORM.isSummary(summary) ? 4 : 5)
    expect(JSON.stringify(messages)).toContain('So far.')
  })

  it('has a budget where the window is divided, less what comes before the conversation', async () => {
    const divided: Policy = { ...quiet, budget: { ...quiet.budget, enabled: true } }
    const { context } = liveAgent(turnsOf(2), divided, { window: 100_000 })
    const short = await context.request({ parts: PARTS, prompt: [ASK] })
    const long = await context.request({
      parts: { identity: `You keep the log. ${'word '.repeat(2_000)}` },
      prompt: [ASK],
    })
    expect(short.budget?.clamped).toBeGreaterThan(0)
    expect(long.budget?.formula).toBeLessThan(short.budget?.formula ?? 0)
  })

  it('asks to save memory once, as the policy says, between results and the prompt', async () => {
    const flush = (delivery: 'system' | 'user'): Policy => ({
      ...quiet,
      lines: {
        ...quiet.lines,
        flush: { ...quiet.lines.flush, enabled: true, at: [0.3] },
        compact: { ...quiet.lines.compact, at: 0.9 },
      },
      flush: { ...quiet.flush, delivery: [delivery], prompts: ['Save what matters.'] },
    })
    for (const delivery of ['system', 'user'] as const) {
      const { context } = liveAgent(turnsOf(40), flush(delivery))
      const { flush: prompt } = await context.beforeResponse([ASK])
      expect(prompt).toMatchObject({ delivery, at: 0.3 })
      const first = await context.request({ parts: PARTS, prompt: [ASK] })
      const isIn = (text: string) => text.includes('Save what matters.')
      expect(isIn(first.system.text)).toBe(delivery === 'system')
      expect(isIn(JSON.stringify(first.messages))).toBe(delivery === 'user')
      const second = await context.request({ parts: PARTS, prompt: [ASK] })
      expect(isIn(second.system.text + JSON.stringify(second.messages))).toBe(false)
    }
    const ids = ['c1', 'c2']
    const call: ContentMessage = {
      ...{ role: 'assistant', calls: ids.map((id) => ({ id })) },
      content: ids.map((id) => ({ type: 'toolCall', id, name: 'read', arguments: {} })),
    }
    const results = ids.map((id): ContentMessage => ({ role: 'toolResult', resultFor: id, content: id }))
    // Behind the results of a step, and in front of what the user asks then.
    for (const [asked, words] of [
      [[], /^\[Context: .*Save what matters\.$/s],
      [[ASK], /Save what matters\..*Which berth is free\?/s],
    ] as const) {
      const { context } = liveAgent([...turnsOf(40), call], flush('user'))
      const prompt = [...results, ...asked]
      await context.beforeResponse(prompt)
      const { messages } = await context.request({ parts: PARTS, prompt })
      const sent = messages.slice(-3).map(({ message }) => message)
      expect(sent).toMatchObject([...results, { role: 'user' }])
      expect(contentText(sent.at(-1) ?? ASK)).toMatch(words)
    }
  })
})

describe('D2 a request that is sent', () => {
  it('answers what it answered, without a compaction where none is needed', async () => {
    const { context, held } = liveAgent(turnsOf(2), quiet)
    expect(await context.send(async () => 'answer')).toEqual({ value: 'answer', compactions: 0 })
    const fault = new Error('no network')
    await expect(context.send(() => Promise.reject(fault))).rejects.toBe(fault)
    expect(held.sets).toBe(0)
  })
})

describe('Q9 what went wrong and was got over', () => {
  it('is reported once each, credentials covered', async () => {
    const lines: [string, string][] = []
    const { context } = liveAgent(turnsOf(50), quiet, {
      hooks: { run: async (event) => [`hook ${event} failed with key-7`] },
      secrets: { mask: (text) => text.replaceAll('key-7', '•'), isSecret: (text) => text.includes('key-7') },
      diagnose: (level, line) => lines.push([level, line]),
    })
    const { warnings } = await context.beforeResponse()
    expect(warnings).toEqual(
      expect.arrayContaining(['hook before failed with key-7', 'hook after failed with key-7']),
    )
    const warned = lines.filter(([level]) => level === 'warn').map(([, line]) => line)
    expect(warned).toEqual(expect.arrayContaining(['hook before failed with •', 'hook after failed with •']))
    expect(warned).toHaveLength(warnings.length)
  })
})

describe('F5 the log of a memory', () => {
  const write: ContentMessage = {
    role: 'assistant',
    calls: [{ id: 'w' }],
    content: [{ type: 'toolCall', id: 'w', name: 'write', arguments: { path: 'memory/a.md', content: 'x' } }],
  }
  const flush = { ...quiet.lines.flush, enabled: true, at: [0.3, 0.55] }
  const compact = { ...quiet.lines.compact, at: 0.9 }
  const policy = { ...quiet, lines: { ...quiet.lines, flush, compact } }

  function noting(note: (event: MemoryEvent) => Promise<void>, memory = transientMemory()) {
    const talk = new Conversation(turnsOf(40))
    const lines: string[] = []
    const context = new ContextManager<ContentMessage>({
      policy,
      window: 32_000,
      key: null,
      tokensOf: sizeOf,
      promptCache: null,
      recall: { events: { note } },
      agent: {
        session: 'main',
        form: CONTENT_FORM,
        clock: { now: () => 7 },
        memory,
        diagnose: (level, line) => void lines.push(`${level}: ${line}`),
        getContext: talk.getContext,
        setContext: talk.setContext,
      },
    })
    const save = () =>
      talk.add({ role: 'user', content: 'Save it.' }, write, {
        role: 'toolResult',
        resultFor: 'w',
        content: 'ok',
      })
    const turns = async () => {
      await context.beforeResponse()
      await context.afterResponse()
      save()
      await context.afterResponse()
      await context.beforeResponse()
      await context.afterResponse()
    }
    return { lines, turns, context, talk, save }
  }

  it('has that it was saved again after the next line, and by an agent that was opened anew', async () => {
    const events: MemoryEvent[] = []
    const note = async (event: MemoryEvent) => void events.push(event)
    const memory = transientMemory()
    const { turns, context, talk, save } = noting(note, memory)
    await turns()
    talk.add(...turnsOf(16, 200, 'leg'))
    await context.beforeResponse()
    const again = noting(note, memory)
    for (const one of [{ save, context }, again]) {
      one.save()
      await one.context.afterResponse()
    }
    expect(events.map(({ kind }) => kind)).toEqual(['flush', 'saved', 'flush', 'saved', 'saved'])
  })

  it('has that the agent was asked, and that it saved its memory, once', async () => {
    const events: MemoryEvent[] = []
    const { turns, lines } = noting(async (event) => void events.push(event))
    await turns()
    expect(events).toEqual([
      { at: 7, session: 'main', kind: 'flush', line: 0.3, delivery: 'system' },
      { at: 7, session: 'main', kind: 'saved' },
    ])
    expect(lines.filter((line) => line.startsWith('warn'))).toEqual([])
  })

  it('that cannot be written is said to the agent’s host each time', async () => {
    const { turns, lines } = noting(async () => {
      throw new Error('no quay')
    })
    await turns()
    const said = 'warn: The log of the memory cannot be written: no quay'
    expect(lines.filter((line) => line.startsWith('warn'))).toEqual([said, said])
  })
})

it('B6: what a provider counted holds until it is taken back', async () => {
  const { context } = liveAgent(turnsOf(4), quiet)
  await context.noteUsage(9_000)
  expect((await context.status()).tokens).toMatchObject({ value: 9_000, basis: 'measured' })
  await context.noteUsage(null)
  expect((await context.status()).tokens.basis).toBe('estimated')
  expect(context.library).toBeNull()
  const extents = turnsOf(4).reduce((all, message) => all + extentOf(message), 0)
  expect(await context.heldExtent()).toBe(extents)
})

it('B6 M20: what a provider counted for a request is in the index of the session, with its answer', async () => {
  const folder = join(temporaryFolder(), 'sessions')
  const sessions = openSessions(folder, { model: 'claude-sonnet-4-5', provider: 'anthropic', cwd: '/w' })
  const { context } = liveAgent([ASK], quiet, { sessions })
  const index = () => JSON.parse(readFileSync(join(folder, 'sessions.json'), 'utf8'))['agent:harbour:main']
  await context.beforeResponse([ASK])
  await context.noteUsage(900)
  await context.afterResponse()
  expect(index().inputTokens).toBeUndefined()
  await context.noteUsage(900, 20)
  await context.afterResponse()
  expect(index()).toMatchObject({ inputTokens: 900, outputTokens: 20, totalTokens: 920 })
})
