import { describe, expect, test, vi } from 'vitest'
import { countMessage } from '../../core/history/count-message'
import type { ContentMessage } from '../../core/history/thinking'
import type { ContextOptions } from './context-options'
import { createContext } from './create-context'

const say = (role: string, content: string): ContentMessage => ({ role, content })
const ASK = say('user', 'Which berth is free?')
const ANSWER = say('assistant', 'Berth 4.')
const INSTRUCTIONS = say('system', 'You keep the log. '.repeat(1_000))

/** So many turns of a question and an answer of some 320 tokens. */
const talk = (turns: number) =>
  Array.from({ length: turns }, (_, at) => [
    say('user', `Where does ship ${at} lie?`),
    say('assistant', `Ship ${at}: ${'berth crane ledger '.repeat(100)}`),
  ]).flat()

const small = (more: Partial<ContextOptions> = {}) =>
  createContext({ model: 'claude-sonnet-4-5', window: 32_000, ...more })
const broken = () => Promise.reject(new Error('a plank is loose'))

describe('V2 a list that brings nothing new', () => {
  test.each([
    ['of which nothing has left', 3],
    ['of which much has left', 60],
  ])('%s is not worked on again, and nothing is answered twice', async (_, turns) => {
    const context = small()
    const climbs = vi.spyOn(context.manager, 'beforeResponse')
    const list = [say('system', 'You keep the log.'), ...talk(turns), say('user', 'And ship 7?')]
    const { messages: sent, done: first } = await context.fit(list)
    expect([first.dropped.length > 0, first.returned.length > 0]).toEqual([turns > 3, turns > 3])
    const { messages, done } = await context.fit(list)
    expect(messages).toEqual(sent)
    expect(done).toEqual({
      ...{ steps: [], summary: null, dropped: [], returned: [], failure: null, warnings: [] },
      ...{ before: first.after, after: first.after, window: 32_000 },
    })
    expect(climbs).toHaveBeenCalledTimes(1)
  })
})

test('V2: what comes back by itself is named as it was when it left, with what it takes and how near it is', async () => {
  const context = small()
  const { done } = await context.fit([...talk(60), say('user', 'And ship 7?')])
  const ids = done.dropped.map(({ id }) => id)
  expect(done.returned.length).toBeGreaterThan(0)
  for (const { id, tokens, score } of done.returned) {
    expect(ids).toContain(id)
    expect([tokens, score].every((figure) => Number(figure) > 0)).toBe(true)
  }
})

describe('V2 what a provider counted besides the messages', () => {
  /** What is counted after a compaction, where this was reported before it. */
  async function sizeAfter(prompt: number | null): Promise<number> {
    const context = small()
    const list = [...talk(20), ASK]
    await context.fit(list)
    if (prompt !== null) context.report({ prompt, output: 1 })
    expect((await context.compact()).kind).toBe('compacted')
    return (await context.fit(list)).done.after.value ?? Number.NaN
  }

  test('stays when messages leave', async () => {
    const [bare, one] = [await sizeAfter(null), await sizeAfter(12_000)]
    const messages = (await small().fit([...talk(20), ASK])).done.after.value ?? Number.NaN
    expect(bare).toBeLessThan(messages / 2)
    expect(one - bare).toBeGreaterThan(0.9 * (12_000 - messages))
    expect(one - bare).toBeLessThan(1.1 * (12_000 - messages))
  })

  test('counts where the ladder fails, of several reports the lowest, and so does what is sent besides', async () => {
    const size = async (prompts: number[], system = '') => {
      const context = small()
      await context.fit([ASK], { system })
      for (const prompt of prompts) context.report({ prompt, output: 1 })
      vi.spyOn(context.manager, 'beforeResponse').mockImplementation(broken)
      return (await context.fit([ASK, ANSWER, ASK], { system })).done.before.value ?? Number.NaN
    }
    const bare = await size([])
    expect((await size([], 'berth '.repeat(300))) - bare).toBeGreaterThan(250)
    const besides = (await size([9_000])) - bare
    expect(besides).toBeGreaterThan(8_900)
    expect(besides).toBeLessThan(9_000)
    expect((await size([12_000, 9_000, 10_000])) - bare).toBe(besides)
  })

  test('is measured as long as nothing comes in, and of what comes in that alone may be off', async () => {
    const context = small()
    await context.fit([ASK, ANSWER])
    context.report({ prompt: 9_000, output: 20 })
    const { done } = await context.fit([ASK, ANSWER])
    expect(done.before).toEqual({ value: 9_000, basis: 'measured' })
    expect(done.after).toEqual(done.before)
    const { done: next } = await context.fit([ASK, ANSWER, ASK])
    const value = next.before.value ?? Number.NaN
    expect(value).toBe(9_000 + countMessage(ASK))
    expect(next.before).toEqual({
      value,
      basis: 'estimated',
      errorPct: expect.closeTo((15 * (value - 9_000)) / value, 9),
    })
    expect(next.after).toEqual(next.before)
  })

  test('is what it was where a later call says nothing of its prompt', async () => {
    const context = small()
    await context.fit([ASK])
    context.report({ prompt: 9_000, output: 20 })
    context.report({ inputTokens: undefined, outputTokens: 20 })
    const { done } = await context.fit([ASK, ANSWER, ASK])
    expect(done.before.value).toBeGreaterThan(9_000)
    expect((await context.fit([ASK, ANSWER, ASK])).done.warnings).toEqual([])
  })
})

test('V2: where the ladder fails, what just fills the window is none that does not fit', async () => {
  const failed = async (window: number) => {
    const context = small({ window, countTokens: (text) => text.length })
    vi.spyOn(context.manager, 'beforeResponse').mockImplementation(broken)
    return (await context.fit([...talk(9), ASK])).done
  }
  const size = (await failed(16_000)).after.value ?? Number.NaN
  expect(size).toBeGreaterThan(16_000)
  expect((await failed(size)).failure).toBeNull()
  expect((await failed(size - 1)).failure).toContain(
    `${size} tokens are more than the window of ${size - 1}.`,
  )
})

test('V2: what cannot fit at all is said as the ladder says it', async () => {
  const { failure, warnings } = (await small().fit([say('user', 'berth crane ledger '.repeat(20_000))])).done
  expect(failure).not.toBeNull()
  expect([failure, ...warnings].join()).not.toContain('could not be fitted')
})

test('V2: a result is not asked, whatever else its message says', async () => {
  const context = small()
  const climbs = vi.spyOn(context.manager, 'beforeResponse')
  const use = { type: 'tool_use', id: 'c1', name: 'read', input: {} }
  const blocks = [
    { type: 'tool_result', tool_use_id: 'c1', content: 'ok' },
    { type: 'text', text: 'Go on.' },
  ]
  await context.fit([ASK, { role: 'assistant', content: [use] }, { role: 'user', content: blocks }])
  expect(climbs.mock.calls[0]?.[0]).toEqual([])
})

test('V2: instructions in front of the list with the last answer are not counted once more', async () => {
  const context = small()
  const tokens = async () => (await context.status()).tokens.value ?? Number.NaN
  await context.fit([INSTRUCTIONS, ASK])
  const before = await tokens()
  expect(before).toBeGreaterThan(3_000)
  await context.sessionEnd([INSTRUCTIONS, ASK, ANSWER])
  expect(await tokens()).toBeGreaterThan(before)
  expect(await tokens()).toBeLessThan(before + 100)
})

test('V2: a chunk that was brought back is none that is asked now', async () => {
  const context = small()
  const list = [...talk(60), ASK, ANSWER]
  const { done } = await context.fit(list)
  expect((await context.recover(done.dropped[3]?.id ?? '')).kind).toBe('recovered')
  const climbs = vi.spyOn(context.manager, 'beforeResponse')
  await context.fit([...list, ASK])
  expect(climbs.mock.calls[0]?.[0]).toEqual([ASK])
})

test('V2: a provider that is named is sent ids in its own form', async () => {
  const call = { type: 'tool_use', id: 'call|1', name: 'read', input: {} }
  const result = { type: 'tool_result', tool_use_id: 'call|1', content: 'ok' }
  const list = [ASK, { role: 'assistant', content: [call] }, { role: 'user', content: [result] }]
  const sentTo = async (provider: string) => {
    const context = small({ provider, policy: { history: { maxTurns: 5 } } })
    return JSON.stringify((await context.fit(list)).messages)
  }
  expect(await sentTo('mistral')).toMatch(/"tool_use_id":"[A-Za-z0-9]{9}"/)
  expect(await sentTo('bedrock')).not.toMatch(/"tool_use_id":"[A-Za-z0-9]{9}"/)
})

describe('V2 what is dropped by relevance', () => {
  const result = 'The crane lifts cargo before the tide. '.repeat(150)

  test('after an answer is held against the question that has just come', async () => {
    const queries: unknown[] = []
    const add = async (kind: string, { query }: { query?: string }) => {
      if (kind === 'curation') queries.push(query)
      return null
    }
    const context = small({ policy: 'memfas', logs: { add, addAll: async () => null } as never })
    const list: ContentMessage[] = []
    for (let at = 0; at < 10; at += 1) {
      list.push(say('user', `Where does ship ${at} lie?`))
      await context.fit(list)
      list.push(say('assistant', `Ship ${at}: ${result}`))
    }
    expect(queries).toEqual(['Where does ship 9 lie?'])
  })

  test('is nothing once the last question is twenty messages ago and has left: all is summed up', async () => {
    const policy = { relevance: {}, lines: { curate: { enabled: true, at: 0.3 }, compact: { at: 0.5 } } }
    const context = small({ policy })
    const list: object[] = [say('user', 'Where does the Aurora lie?')]
    const reasons: unknown[] = []
    for (let at = 0; at < 20; at += 1) {
      const use = { type: 'tool_use', id: `c${at}`, name: 'read', input: { at } }
      const block = { type: 'tool_result', tool_use_id: `c${at}`, content: `Log ${at}: ${result}` }
      list.push({ role: 'assistant', content: [use] }, { role: 'user', content: [block] })
      const { done } = await context.fit(list)
      if (done.steps.includes('compact')) reasons.push([...new Set(done.dropped.map(({ reason }) => reason))])
    }
    expect(reasons).toEqual([['summarised'], ['summarised']])
  })
})
