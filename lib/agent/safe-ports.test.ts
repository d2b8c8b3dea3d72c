import { describe, expect, test } from 'vitest'
import type { ContentMessage } from '../core/history/thinking'
import { estimateUnits } from '../core/tokens/estimate'
import { TimeLimit } from '../engine/jobs/time-limit'
import type { ContextLog } from '../engine/logs/log-ports'
import { CONTENT_FORM } from './content-form'
import type { LiveAgent } from './live-agent'
import { isAmount, PortProblems } from './port-problems'
import { safeAgent, safeCount, safeRecall, safeSizes, safeSnapshot } from './safe-ports'

const FULL = new Error('the disk is full.')
const fails = () => {
  throw FULL
}
const rejects = () => Promise.reject(FULL)
const message: ContentMessage = { role: 'user', content: 'Which berth is free?' }

function agentWith(more: Partial<LiveAgent<ContentMessage>>) {
  const problems = new PortProblems()
  const base = { session: 's', form: CONTENT_FORM, clock: { now: () => 7 } }
  const talk = { getContext: () => [], setContext: () => undefined }
  return { agent: safeAgent<ContentMessage>({ ...base, ...talk, ...more }, problems), problems }
}

describe('D24 what goes wrong with what an agent gave', () => {
  test('is noted once until it is taken, with what is done instead', () => {
    const problems = new PortProblems()
    expect(problems.call('plan', 'It is left out.', fails)).toBeUndefined()
    expect(problems.call('plan', 'It is left out.', fails)).toBeUndefined()
    expect(problems.take()).toEqual(['plan failed: the disk is full. It is left out.'])
    expect(problems.take()).toEqual([])
    problems.tell('onStep', fails)
    expect(problems.take()).toEqual(['onStep failed: the disk is full.'])
  })

  test('what answers is answered, now and later', async () => {
    const problems = new PortProblems()
    expect(problems.call('a', '', () => 0)).toBe(0)
    expect(problems.call('a', '', () => null)).toBeNull()
    expect(await problems.wait('a', '', async () => 'x')).toBe('x')
    expect(await problems.wait('a', '', rejects)).toBeUndefined()
    expect(problems.take()).toEqual(['a failed: the disk is full.'])
  })

  test('a promise is no answer where one is wanted at once, and its own failure is noted as well', async () => {
    const problems = new PortProblems()
    expect(problems.call('clock.now', '', rejects)).toBeUndefined()
    expect(problems.take()).toEqual(['clock.now failed: it answered a promise, and must answer at once.'])
    problems.tell('onStep', rejects)
    problems.tell('onStep', async () => 'fine')
    await new Promise((done) => setImmediate(done))
    expect(problems.take()).toEqual([
      'clock.now failed: the disk is full.',
      'onStep failed: the disk is full.',
    ])
  })

  test.each<[unknown, boolean]>([
    [0, true],
    [1.5, true],
    [-1, false],
    [Number.NaN, false],
    [Number.POSITIVE_INFINITY, false],
    ['1', false],
    [null, false],
  ])('%s is a number of tokens: %s', (value, is) => {
    expect(isAmount(value)).toBe(is)
  })
})

describe('D24 counters of an agent', () => {
  test.each<[string, () => unknown, RegExp | null]>([
    ['answers', () => 42, null],
    ['answers that it is nothing', () => 0, null],
    ['answers no number', () => 'many', /answered many, which is no number of tokens\. Our own estimate/],
    ['answers less than nothing', () => -1, /answered -1, which is no number/],
    ['fails', fails, /failed: the disk is full\. Our own estimate counts in its place\./],
  ])('one that %s', (_what, count, why) => {
    const problems = new PortProblems()
    const countText = safeCount(count as () => number, problems)
    const sizes = safeSizes<ContentMessage>(count as () => number, estimateUnits, problems)
    const own = safeSizes<ContentMessage>(undefined, estimateUnits, problems)
    const expected = why === null ? count() : null
    expect(countText('Which berth?')).toBe(expected ?? estimateUnits('Which berth?'))
    expect(sizes.ofPart(message)).toBe(expected ?? own.ofPart(message))
    expect(sizes.ofMessage(message)).toBe(expected ?? own.ofMessage(message))
    const found = problems.take()
    expect(found).toHaveLength(why === null ? 0 : 2)
    for (const [at, name] of ['countText', 'tokensOf'].entries())
      if (why !== null) expect(found[at]).toMatch(new RegExp(`^${name} ${why.source}`))
  })

  test('what only has a field `then` is an answer, and a promise is none', async () => {
    const problems = new PortProblems()
    const having = (then: unknown) => Object.fromEntries([['then', then]])
    for (const answer of [having(5), having(null), null, 'then', { other: 1 }])
      expect(problems.call('plan', '', () => answer)).toBe(answer)
    expect(problems.take()).toEqual([])
    expect(problems.call('plan', 'Nothing.', async () => 5)).toBeUndefined()
    expect(problems.take()).toEqual(['plan failed: it answered a promise, and must answer at once. Nothing.'])
  })

  test('without one the estimate counts', () => {
    const problems = new PortProblems()
    expect(safeCount(undefined, problems)('Which berth?')).toBe(estimateUnits('Which berth?'))
    const sizes = safeSizes<ContentMessage>(undefined, () => 9, problems)
    expect(sizes.ofPart(message)).toBeGreaterThanOrEqual(9)
    expect(sizes.ofMessage(message)).toBe(sizes.ofPart(message))
  })

  test.each<[string, () => unknown, number | null, RegExp | null]>([
    ['has a figure', () => 1_200, 1_200, null],
    ['has none', () => null, null, null],
    ['has no usable one', () => Number.NaN, null, /^getTokenCount answered NaN, which is no number/],
    ['fails', fails, null, /^getTokenCount failed: the disk is full\. Our own estimate/],
  ])('an agent that %s for its context', (_what, getTokenCount, figure, why) => {
    const { agent, problems } = agentWith({ getTokenCount: getTokenCount as () => number })
    expect(agent.getTokenCount?.()).toBe(figure)
    expect(problems.take()).toEqual(why === null ? [] : [expect.stringMatching(why)])
  })
})

describe('D24 callbacks of an agent', () => {
  test('are asked of the agent itself, with what they are given', async () => {
    const reported: unknown[] = []
    class Agent {
      session = 's'
      form = CONTENT_FORM
      clock = { now: () => 7 }
      #name = 'harbour'
      getContext = () => []
      setContext = () => undefined
      getMessages(count: number) {
        reported.push([this.#name, 'messages', count])
        return [message]
      }
      curate({ messages }: { messages: readonly ContentMessage[] }) {
        reported.push([this.#name, 'curate'])
        return Promise.resolve([...messages])
      }
      async onFlush() {
        reported.push([this.#name, 'flush'])
      }
      onStep(step: string) {
        reported.push([this.#name, step])
      }
      onPhase(phase: string) {
        reported.push([this.#name, phase])
      }
      diagnose(level: string, line: string) {
        reported.push([this.#name, level, line])
      }
      plan() {
        reported.push([this.#name, 'plan'])
        return Promise.resolve(null)
      }
      getTokenCount() {
        return this.#name.length
      }
    }
    const agent = safeAgent<ContentMessage>(new Agent() as never, new PortProblems())
    expect(await agent.getMessages?.(3)).toEqual([message])
    expect(await agent.curate?.({ messages: [message] } as never)).toEqual([message])
    await agent.onFlush?.({} as never)
    agent.onStep?.('compact')
    agent.onPhase?.('start')
    agent.diagnose?.('info', 'line')
    expect(await agent.plan?.()).toBeNull()
    expect(agent.getTokenCount?.()).toBe(7)
    expect(reported).toEqual([
      ['harbour', 'messages', 3],
      ['harbour', 'curate'],
      ['harbour', 'flush'],
      ['harbour', 'compact'],
      ['harbour', 'start'],
      ['harbour', 'info', 'line'],
      ['harbour', 'plan'],
    ])
  })

  test('beside what the agent only has, which is asked for when it is needed', () => {
    const embedding = { id: 'e' } as never
    const { agent } = agentWith({ embedding, dropsByRelevance: false })
    expect([agent.embedding, agent.dropsByRelevance]).toEqual([embedding, false])
  })

  test('that are not there are not there', () => {
    const { agent } = agentWith({})
    for (const name of ['getMessages', 'curate', 'onFlush', 'onStep', 'onPhase', 'diagnose', 'plan'] as const)
      expect(agent[name]).toBeUndefined()
    for (const name of ['hooks', 'log', 'secrets', 'getTokenCount', 'memory', 'cold', 'chain'] as const)
      expect(agent[name]).toBeUndefined()
  })

  test('that only listen may fail; a plan that fails is none', async () => {
    const { agent, problems } = agentWith({ onStep: fails, onPhase: fails, diagnose: fails, plan: rejects })
    agent.onStep?.('compact')
    agent.onPhase?.('start')
    agent.diagnose?.('info', 'line')
    expect(await agent.plan?.()).toBeNull()
    expect(problems.take()).toEqual([
      'onStep failed: the disk is full.',
      'onPhase failed: the disk is full.',
      'diagnose failed: the disk is full.',
      'plan failed: the disk is full. The plan is not noted.',
    ])
  })

  test('a clock that stops goes on from its last time', () => {
    const times: unknown[] = [5, 8.64e15, 8.64e15 + 1, Number.NaN, 'noon', '9', 9]
    const { agent, problems } = agentWith({ clock: { now: () => times.shift() as number } })
    const read = () => agent.clock.now()
    expect([read(), read(), read(), read(), read(), read(), read()]).toEqual([
      ...[5, 8.64e15, 8.64e15, 8.64e15, 8.64e15, 8.64e15, 9],
    ])
    expect(problems.take()).toEqual([
      'clock.now answered 8640000000000001, which is no time.',
      'clock.now answered NaN, which is no time.',
      'clock.now answered noon, which is no time.',
      'clock.now answered 9, which is no time.',
    ])
    const broken = agentWith({ clock: { now: fails } })
    expect(broken.agent.clock.now()).toBe(0)
    expect(broken.problems.take()).toEqual([
      'clock.now failed: the disk is full. The last time that it gave is taken.',
    ])
  })

  test('rules for secrets that fail are replaced by our own, and all that they cannot judge is one', () => {
    const key = 'token=ghp_abcdefghijklmnopqrstuvwxyz0123456789'
    const own = agentWith({ secrets: { mask: (text) => `${text}!`, isSecret: (text) => text === 'x' } })
    expect(own.agent.secrets?.mask('a')).toBe('a!')
    expect([own.agent.secrets?.isSecret('x'), own.agent.secrets?.isSecret('y')]).toEqual([true, false])
    for (const mask of [fails, () => 7 as never]) {
      const { agent, problems } = agentWith({ secrets: { mask, isSecret: fails } })
      expect(agent.secrets?.mask(key)).not.toContain('ghp_')
      if (mask === fails)
        expect(problems.take()).toEqual([expect.stringMatching(/^secrets\.mask failed: the disk is full\. /)])
      expect(agent.secrets?.isSecret('anything')).toBe(true)
      expect(problems.take()).toEqual(['secrets.isSecret failed: the disk is full.'])
    }
  })

  test('a log that fails says so instead', async () => {
    const logged = async (add: unknown) => {
      const { agent } = agentWith({ log: { add, addAll: add } as ContextLog })
      return [await agent.log?.add('drops', {} as never), await agent.log?.addAll('drops', [])]
    }
    expect(await logged(async () => null)).toEqual([null, null])
    expect(await logged(async () => 'no room')).toEqual(['no room', 'no room'])
    expect(await logged(async () => 7)).toEqual([null, null])
    const said = 'The log cannot be written: the disk is full.'
    expect(await logged(rejects)).toEqual([said, said])
    expect(await logged(fails)).toEqual([said, said])
  })

  test('a workspace that cannot be read is left out, and one that is not there needs no word', async () => {
    const problems = new PortProblems()
    const snapshot = { files: [], daily: [], memory: '' }
    expect(await safeSnapshot(null, problems, new TimeLimit())()).toBeNull()
    expect(await safeSnapshot({ snapshot: async () => snapshot } as never, problems, new TimeLimit())()).toBe(
      snapshot,
    )
    expect(problems.take()).toEqual([])
    expect(await safeSnapshot({ snapshot: rejects } as never, problems, new TimeLimit())()).toBeNull()
    expect(problems.take()).toEqual([
      'promptCache.snapshot failed: the disk is full. The workspace files are left out.',
    ])
  })
})

test('V4: each place that an agent keeps something in has a limit, and says by its name that it was late', async () => {
  const never = () => new Promise<never>(() => undefined)
  const base = { session: 's', form: CONTENT_FORM, clock: { now: () => 7 }, setContext: () => undefined }
  const places = { memory: { load: never }, cold: { list: never }, sessions: { append: never } }
  const asked = { getMessages: never, curate: never, onFlush: never, plan: never, hooks: { run: never } }
  const given = { ...base, getContext: () => [], ...asked, log: { add: never }, ...places }
  const problems = new PortProblems()
  const limit = new TimeLimit(5)
  const agent = safeAgent<ContentMessage>(given as never, problems, limit)
  const late = (name: string, ms = 5) => `${name} gave no answer within ${ms} ms`
  const { append } = agent.sessions as unknown as { append: () => Promise<void> }
  // Whoever may ask a model has ten times as long.
  await Promise.all([
    expect(agent.getMessages?.(1)).rejects.toThrow(late('getMessages')),
    expect(agent.curate?.({} as never)).rejects.toThrow(late('curate', 50)),
    expect(agent.onFlush?.({} as never)).rejects.toThrow(late('onFlush', 50)),
    expect(agent.hooks?.run('x' as never, {} as never)).rejects.toThrow(late('hooks.run', 50)),
    expect(agent.memory?.load('s')).rejects.toThrow(late('memory.load')),
    expect(agent.cold?.list()).rejects.toThrow(late('cold.list')),
    expect(append()).rejects.toThrow(late('sessions.append')),
  ])
  expect(await agent.log?.add('drops', {} as never)).toContain(late('log.add'))
  expect(await agent.plan?.()).toBeNull()
  expect(await safeSnapshot({ snapshot: never }, problems, limit)()).toBeNull()
  expect(problems.take()).toEqual([
    expect.stringContaining(`plan failed: ${late('plan')}`),
    expect.stringContaining(`promptCache.snapshot failed: ${late('promptCache.snapshot')}`),
  ])
})

test('V4: each thing that an agent remembers with has a limit, and says by its name that it was late', async () => {
  const never = () => new Promise<never>(() => undefined)
  const given = {
    search: { refresh: never, search: () => [] },
    tasks: { section: never },
    events: { note: never },
  }
  const { search, tasks, events } = safeRecall<ContentMessage>(given as never, new TimeLimit(5))
  await expect(search?.refresh()).rejects.toThrow('search.refresh gave no answer within 5 ms')
  await expect(tasks?.section()).rejects.toThrow('tasks.section gave no answer within 5 ms')
  await expect(events?.note({} as never)).rejects.toThrow('events.note gave no answer within 5 ms')
  expect(safeRecall(undefined, new TimeLimit(5))).toEqual({})
  expect(safeRecall({ search: null, tasks: null }, new TimeLimit(5))).toEqual({ search: null, tasks: null })
})
