import { describe, expect, test, vi } from 'vitest'
import { countMessage } from '../../core/history/count-message'
import { extentOfAll } from '../../core/history/message-extent'
import type { ContentMessage } from '../../core/history/thinking'
import { createContext } from './create-context'

const say = (role: string, content: string): ContentMessage => ({ role, content })
const ASK = say('user', 'Which berth is free?')
const INSTRUCTIONS = say('system', 'You keep the log.')

/** So many turns of a question and an answer of so many words. */
const talk = (turns: number, words = 300) =>
  Array.from({ length: turns }, (_, at) => [
    say('user', `Where does ship ${at} lie?`),
    say('assistant', `Ship ${at}: ${'berth crane ledger '.repeat(words / 3)}`),
  ]).flat()

const small = (more: Partial<Parameters<typeof createContext>[0]> = {}) =>
  createContext({ model: 'claude-sonnet-4-5', window: 32_000, ...more })

describe('V2 what has left the context', () => {
  /** The timers of pauses that a fit has begun. */
  const pausesOf = async (messages: readonly object[]) => {
    const timers = vi.spyOn(globalThis, 'setTimeout')
    try {
      await small().fit(messages)
      const pauses = timers.mock.calls.flatMap((given, at) =>
        given.length === 1 ? [timers.mock.results[at]?.value as NodeJS.Timeout] : [],
      )
      return pauses.map((timer) => timer.hasRef())
    } finally {
      timers.mockRestore()
    }
  }

  test('is made ready for the next search while the model is asked; no process stays for that', async () => {
    expect(await pausesOf([...talk(3), ASK])).toEqual([])
    expect(await pausesOf([...talk(60), ASK])).toEqual([false])
  })
})

describe('V2 reports of a provider', () => {
  test('that come before the first request are about no conversation that is known here', async () => {
    const context = small()
    context.report({ prompt: 30_000, output: 10 })
    const { done } = await context.fit(talk(3))
    const { done: without } = await small().fit(talk(3))
    expect(done.before).toEqual(without.before)
    expect(done.steps).toEqual([])
  })

  test('are what the next request is measured from: only what came in since is estimated', async () => {
    const context = small()
    const asked = [...talk(3), ASK]
    const { done: first } = await context.fit(asked)
    context.report({ prompt: 9_000, output: 20 })
    const { done } = await context.fit([...asked, say('assistant', 'Berth 4.'), say('user', 'Thanks.')])
    expect(done.before.value).toBeGreaterThan(9_000)
    expect(done.before.value).toBeLessThan(9_100)
    const errorOf = ({ before }: typeof done) => (before.basis === 'estimated' ? before.errorPct : 0)
    expect(errorOf(done)).toBeLessThan(2)
    expect(errorOf(first)).toBeGreaterThan(5)
  })
})

test('V2: what a report shows besides the messages counts on, also after a compaction', async () => {
  const context = small()
  const all = [...talk(60), ASK]
  const { done: first } = await context.fit(all.slice(0, 7))
  context.report({ prompt: (first.after.value ?? Number.NaN) + 8_000, output: 20 })
  const { messages, done } = await context.fit(all)
  expect(done.steps).toContain('compact')
  const sent = messages.reduce((sum, message) => sum + countMessage(message), 0)
  expect((done.after.value ?? 0) - sent).toBeCloseTo(8_000, -1)
})

describe('V2 another conversation', () => {
  test('is said to be one by its first message that is another one, instructions in front counted', async () => {
    const context = small()
    const messages = talk(60)
    expect((await context.fit([INSTRUCTIONS, ...messages, ASK])).done.steps).toContain('compact')
    const other = [...messages.slice(0, 2), say('user', 'Something else.'), ...messages.slice(3)]
    const { done } = await context.fit([INSTRUCTIONS, ...other, ASK])
    expect(done.warnings).toEqual([
      expect.stringMatching(/^Message 3 is another one than in the call before/),
    ])
  })

  test('needs no word where nothing has left the one before', async () => {
    const context = small()
    await context.fit([...talk(3), ASK])
    const { done, messages } = await context.fit([say('user', 'Something else.')])
    expect(done.warnings).toEqual([])
    expect(messages).toEqual([say('user', 'Something else.')])
  })

  test('is none where the same one goes on, and nothing is said', async () => {
    const context = small()
    const messages = [...talk(60), ASK]
    const first = await context.fit(messages)
    expect(first.done.steps).toContain('compact')
    const { done } = await context.fit([...messages, say('assistant', 'Berth 4.'), say('user', 'Thanks.')])
    expect(done.warnings).toEqual([])
  })
})

describe('V2 a context in which something fails that must not', () => {
  const broken = () => Promise.reject(new Error('a plank is loose'))

  test('sends the list as it is, says why, and how large it is', async () => {
    const context = small()
    vi.spyOn(context.manager, 'beforeResponse').mockImplementation(broken)
    const list = [INSTRUCTIONS, ...talk(60), ASK]
    const { messages, done, system } = await context.fit(list, { system: 'x'.repeat(4_000) })
    expect(messages).toEqual(list)
    expect(system).toBe('')
    const { before, after, warnings, ...rest } = done
    expect(warnings).toEqual(['The context could not be fitted and is sent as it is: a plank is loose'])
    expect(before).toEqual(after)
    expect(before).toMatchObject({ basis: 'estimated', errorPct: 15 })
    expect(before.value).toBeGreaterThan(19_000)
    expect(rest).toEqual({
      ...{ steps: [], summary: null, dropped: [], returned: [] },
      ...{ window: 32_000, failure: null },
    })
  })

  test('sends what is held where the request cannot be put together', async () => {
    const context = small({ policy: { history: { maxTurns: 1 } } })
    vi.spyOn(context.manager, 'request').mockImplementation(broken)
    const list = [...talk(3), ASK]
    const { messages, done, system } = await context.fit(list)
    expect(messages).toEqual(list)
    expect(system).toBe('')
    expect(done.warnings).toEqual([
      "The request could not be put together by the policy's limits: a plank is loose",
    ])
  })
})

describe('V2 what is sent besides the messages', () => {
  const sizeWith = async (options: object) =>
    (await small().fit([ASK], options)).done.before.value ?? Number.NaN

  test('counts as it is, and nothing where nothing is given', async () => {
    const bare = await sizeWith({})
    expect(bare).toBe(countMessage(ASK))
    expect(await sizeWith({ system: undefined, tools: undefined })).toBe(bare)
    expect(await sizeWith({ system: null, tools: null })).toBe(bare)
    // Some counters count something for an empty text.
    const counted = async (options: object) =>
      (await small({ countTokens: ({ length }) => length + 7 }).fit([ASK], options)).done.before.value
    expect(await counted({ tools: undefined })).toBe(await counted({ tools: null }))
    const text = 'berth '.repeat(300)
    const withSystem = await sizeWith({ system: text })
    expect(withSystem - bare).toBeGreaterThan(250)
    expect(await sizeWith({ system: [{ type: 'text', text }] })).toBeGreaterThan(bare + 250)
    const withTools = await sizeWith({ tools: [{ name: text }] })
    expect(withTools - bare).toBeGreaterThan(250)
    expect(await sizeWith({ system: text, tools: [{ name: text }] })).toBeGreaterThan(withSystem + 250)
  })

  test('and another list of the same length is another one', async () => {
    const context = small()
    await context.fit([ASK, say('assistant', 'Berth 4.')])
    const other = [ASK, say('assistant', 'Berth 5.')]
    expect((await context.fit(other)).messages).toEqual(other)
  })
})

test('V2: a list that holds just as much as the one before, and is another one, is fitted anew', async () => {
  const context = small()
  const all = [...talk(60), ASK]
  const { messages: sent } = await context.fit(all)
  const turn = (text: string) => [say('assistant', 'Berth 4.'), say('user', text)]
  const more = 'x'.repeat(extentOfAll(all) - extentOfAll([...sent, ...turn('')]))
  const { messages: longer } = await context.fit([...sent, ...turn(more)])
  expect(JSON.stringify(longer)).toContain(more)
  expect(JSON.stringify((await context.fit(all)).messages)).not.toContain(more)
})

describe('V2 the turns of a context', () => {
  test('end when an answer is there and something new is asked, and not before', async () => {
    const context = small()
    const ended = vi.spyOn(context.manager, 'afterResponse')
    const all = [ASK]
    await context.fit(all)
    all.push(say('assistant', 'Berth 4.'))
    await context.fit(all)
    expect(ended).not.toHaveBeenCalled()
    all.push(say('assistant', 'And berth 5.'), say('user', 'Thanks.'))
    const signal = new AbortController().signal
    await context.fit(all, { signal })
    expect(ended.mock.calls).toEqual([[{ signal }]])
    all.push(say('user', 'And now?'))
    await context.fit(all)
    expect(ended).toHaveBeenCalledTimes(1)
    await context.fit([say('user', 'Something else.'), say('assistant', 'Yes.'), ASK])
    expect(ended, 'of another conversation').toHaveBeenCalledTimes(1)
  })

  test('end also where the answer came in a list before, and only once', async () => {
    const context = small()
    const ended = vi.spyOn(context.manager, 'afterResponse')
    const all = [ASK]
    await context.fit(all)
    all.push(say('assistant', 'Berth 4.'))
    await context.fit(all)
    all.push(say('user', 'Thanks.'))
    await context.fit(all)
    expect(ended).toHaveBeenCalledTimes(1)
    await context.compact()
    await context.fit(all)
    expect(ended, 'of the same list').toHaveBeenCalledTimes(1)
  })

  test('do not end where something came back, and no answer', async () => {
    const context = small()
    const all = [...talk(60), ASK]
    const { done } = await context.fit(all)
    const ended = vi.spyOn(context.manager, 'afterResponse')
    expect((await context.recover(done.dropped[3]?.id ?? '')).kind).toBe('recovered')
    await context.fit([...all, say('user', 'And now?')])
    expect(ended).not.toHaveBeenCalled()
  })

  test('begin with all that is asked now: it says what matters, and stays in front of nothing', async () => {
    const context = small()
    const climbs = vi.spyOn(context.manager, 'beforeResponse')
    const asked = [say('user', 'One.'), say('user', 'Two.')]
    await context.fit([say('user', 'Before.'), say('assistant', 'Yes.'), ...asked])
    expect(climbs.mock.calls[0]?.[0]).toEqual(asked)
    await context.fit([say('user', 'Before.'), say('assistant', 'Yes.'), ...asked, say('assistant', 'Done.')])
    expect(climbs.mock.calls[1]?.[0]).toEqual([])
  })

  test('credentials are kept from the model that sums up', async () => {
    const asked: string[] = []
    const context = small({
      secrets: { mask: (text) => text.replaceAll('berth', '***'), isSecret: () => false },
      summary: ({ user }) => {
        asked.push(user)
        return 'In short.'
      },
    })
    expect((await context.fit([...talk(60), ASK])).done.steps).toContain('compact')
    expect(asked.join()).toContain('*** crane ledger')
    expect(asked.join()).not.toContain('berth')
  })

  test('hooks, logs, memory and sessions that are given are used', async () => {
    const called = new Set<string>()
    const note =
      <T>(name: string, answer: T) =>
      async () => {
        called.add(name)
        return answer
      }
    const context = small({
      session: 'agent:harbour:main',
      hooks: { run: note('hooks.run', []) },
      logs: { add: note('logs.add', null), addAll: note('logs.addAll', null) },
      memory: {
        ...{ load: note('memory.load', null), save: note('memory.save', undefined) },
        ...{
          checkpoints: note('memory.checkpoints', []),
          addCheckpoint: note('memory.addCheckpoint', undefined),
        },
        ...{
          stepCheckpoints: note('memory.steps', []),
          addStepCheckpoint: note('memory.addStep', undefined),
        },
      } as never,
      sessions: {
        open: note('sessions.open', { isNew: true, messages: [] }),
        append: note('sessions.append', []),
        note: note('sessions.note', undefined),
      } as never,
    })
    const { done } = await context.fit([...talk(60), ASK])
    expect(done.steps).toContain('compact')
    for (const name of [
      'hooks.run',
      'logs.add',
      'memory.load',
      'memory.save',
      'sessions.open',
      'sessions.append',
    ])
      expect(called, name).toContain(name)
  })
})

test('V2: after a compaction results are sent as they came, however old they are: what is not sent has a copy', async () => {
  let now = Date.parse('2026-11-21T10:00:00Z')
  const context = createContext({ model: 'claude-sonnet-4-5', window: 32_000, now: () => now })
  const messages: object[] = [ASK]
  let isCompacted = false
  for (let call = 0; call < 30; call += 1) {
    const log = `Log ${call}: ${'the crane lifts cargo before the tide. '.repeat(150)}`
    const use = { type: 'tool_use', id: `c${call}`, name: 'read', input: { call } }
    const result = { type: 'tool_result', tool_use_id: `c${call}`, content: log }
    messages.push({ role: 'assistant', content: [use] }, { role: 'user', content: [result] })
    now += 90_000
    const { messages: sent, done } = await context.fit(messages)
    isCompacted ||= done.steps.includes('compact')
    const results = sent.filter((message) => JSON.stringify(message).includes('tool_result'))
    expect(results.filter((message) => !messages.includes(message))).toEqual([])
  }
  expect(isCompacted).toBe(true)
})
